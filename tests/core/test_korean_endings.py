"""What grows onto Korean words, and words that stand in any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.core.korean_endings import ENDINGS, PLAIN, without_ending
from hipocampus.recall.korean import related, root_of

WITH_PARTICLES = """
가 를 에 의 와 도 만 로 랑 는 들이 들을 들에게 에서 에서는 에서도 에서만 까지 까지는 부터는 처럼 보다 만큼 대로 조차 뿐
마다 에게서도
"""
AS_A_VERB = """
하는 하고 하면 하면서 하지만 하거나 하도록 하는데 하는지 하다가 하려고 하려면 하기로 하나요 하던 한 한다 한다고 할까요
할지 할게 할래 합니다 해서 해야 해도 해줘 해주세요 했어 했어요 했다 했는데 했는지 했나요 했더니 했던 했지 했으면 했을까
되는 되고 되면 되도록 되지 되었다 되었는지 된 된다 될까요 됩니다 돼서 돼요 됐어 됐나요 됐는데 시켜 시켜줘 시켰다 시키면
"""
AS_BEING = """
이다 입니다 인데 인지 인가요 일까 일까요 이고 이며 이라서 이라면 이니까 였는데 였어요 였지 예요 라서 라면 니까
"""
NOUNS = "로그인 디자인 파일 메일 카메라 화면 회의 우유 도로 효과 결과 제목 지도 커밋 도커 데이터베이스"
ANYWHERE = """
언제 언제부터 어떻게 어디서 누가 무엇을 이번에 지금 그리고 방법을 관련된 때문에 대해서 알려줘 도와주세요 있었지 하면
했나요
"""


@pytest.mark.parametrize("ending", f"{WITH_PARTICLES} {AS_A_VERB} {AS_BEING}".split())
def test_a_noun_is_found_below_what_grows_onto_it(ending: str) -> None:
    """Particles, and what makes it a verb or the end of a sentence."""
    assert root_of(f"서버{ending}") == "서버"


@pytest.mark.parametrize(
    ("word", "root"),
    [
        ("먹으니까", "먹"),
        ("먹으면서", "먹"),
        ("찾았나요", "찾"),
        ("찾습니다", "찾"),
        ("바뀌었나요", "바뀌"),
        ("바꿔줘", "바꿔"),
        ("고쳐주세요", "고쳐"),
        ("느려졌어", "느려졌"),
    ],
)
def test_a_verb_is_found_below_its_ending(word: str, root: str) -> None:
    """A stem that is contracted with its ending stays so: no rule of spelling is undone."""
    assert root_of(word) == root


@pytest.mark.parametrize("word", NOUNS.split())
def test_a_noun_that_ends_like_an_ending_stays(word: str) -> None:
    """Of two syllables that is the rule; and a syllable that ends many nouns is no ending."""
    assert root_of(word) == word


@pytest.mark.parametrize("word", ANYWHERE.split())
def test_what_stands_in_any_text_has_no_root(word: str) -> None:
    """Asking words, words that join, and verbs that say nothing by themselves."""
    assert root_of(word) == ""


@given(st.sampled_from(sorted(PLAIN)), st.sampled_from(sorted(ENDINGS)))
def test_a_plain_word_is_plain_with_any_ending(word: str, ending: str) -> None:
    """Nothing of it is looked up, unless both together are another word (이미, 지: image) or end like one."""
    found = root_of(word + ending)
    assert found == "" or not found.startswith(word) or related(found)


@given(st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), max_size=12))
def test_what_is_cut_off_is_an_ending(word: str) -> None:
    """The longest there is, at the end."""
    left = without_ending(word)
    assert word.startswith(left)
    assert left == word or word[len(left) :] in ENDINGS
