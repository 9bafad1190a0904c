"""What a Korean word is about: the word without what grows onto it, and others of everyday life and work.

Particles grow onto nouns and endings onto verbs, and many a noun has two syllables: a whole word is hardly ever met
again. And what bears on a prompt about a menu speaks of an allergy, not of a menu.
"""

from __future__ import annotations

from hipocampus.core.korean_endings import PLAIN, without_ending

# What says nothing by itself where no more than this is left.
_SMALL = frozenset(
    "이그저것수좀더등및내제네나너우다안못잘또왜뭐뭘몇때곳줄거게데번된될한할해하되있없같보주알싶많좋어오가써봐"
)

# A line for each; a line that is set in goes on with the one before.
_GROUPS = """
회사 직장 사무실 출근 퇴근 통근 지하철 버스 자전거 알람 기상 지각 편도 정류장 운전 주차
음식 식사 요리 레시피 메뉴 저녁 점심 아침밥 반찬 간식 식당 맛집 외식 회식 알레르기 알러지 채식 비건 우유 유당 땅콩
  고기 해산물 생선 밀가루 매운 먹 소화 밥 빵 카페 커피 라떼 홍차 술 음료 상차림 초대
가족 식구 부모 부모님 어머니 아버지 엄마 아빠 할머니 할아버지 동생 여동생 남동생 언니 누나 오빠 형 남편 아내 배우자
  아들 딸 아이 자녀 조카 아기 시댁 처가 안부
아이 자녀 딸 아들 초등학교 유치원 어린이집 학교 방학 숙제 학년 육아 놀이터
동물 반려 강아지 고양이 산책 사료 병원 반려견 반려묘 털
여행 휴가 여행지 숙소 호텔 비행기 기차 항공 교통편 관광 캠핑 놀러 바다 등산 나들이 해외
건강 병원 의사 치과 수술 통증 허리 다리 아프 치료 재활 교정 진료 감기 알레르기
운동 헬스 헬스장 수영 달리기 조깅 요가 필라테스 체중 몸무게 다이어트 킬로그램 근육 루틴 자세 스트레칭 산책 걷 등산
  허리
집 이사 전세 월세 계약 주소 동네 아파트 인테리어 가구 난방 난방비 부동산 거주 살아요 살고 전입
돈 월급 예산 생활비 적금 저축 투자 대출 지출 가계부 세금 연말정산 보험 절약
생일 결혼 결혼식 기념일 잔치 환갑 돌잔치 선물 행사 정장 예복 청첩장 사진 축하
취미 악기 기타 피아노 바이올린 연습 노래 그림 사진 독서 소설 책 영화 게임 뜨개질 일기 습관
공부 전공 대학 학교 졸업 자격증 시험 경영학 화학 공학 과학 영어 외국어 스페인어 일본어 중국어 단어 독학 학원 강의
이력서 자기소개서 약력 경력 이직 취업 지원 면접 채용 전공 직업 졸업 자소서 간호사 교사 연봉
일정 시간 약속 날짜 요일 월요일 화요일 수요일 목요일 금요일 토요일 일요일 오전 오후 주말 예약 달력 마감 스케줄
봄 삼월 사월 오월 3월 4월 5월
여름 유월 칠월 팔월 6월 7월 8월
가을 구월 시월 십일월 9월 10월 11월
겨울 십이월 일월 이월 12월 1월 2월 추위 난방
배포 릴리스 릴리즈 출시 버전 파이프라인 롤백 운영 핫픽스
데이터베이스 디비 데이터 테이블 스키마 칼럼 컬럼 저장 저장소 쿼리 조회 색인 마이그레이션 백업 복구 되살리
서버 인프라 리전 우분투 리눅스 클라우드 컨테이너 도커 쿠버네티스 설치 배포 운영 호스팅 엔진엑스
캐시 레디스 성능 속도 느려 느리 빠르게 최적화 조회 만료 응답 지연
로그 로깅 기록 에러 오류 예외 메시지 문구 모니터링 추적
장애 에러 오류 경보 알림 슬랙 운영 복구 사고
테스트 단위 커버리지 검증 파이테스트 품질 정적 분석 린트 검사 경고 파이프라인 병합
커밋 브랜치 병합 합치 풀리퀘스트 리퀘스트 리뷰 코드리뷰 변경 메시지 깃
프론트엔드 화면 컴포넌트 버튼 페이지 리액트 디자인 디자이너 시안 피그마 스타일 모바일 아이폰 안드로이드 플러터 설정
로그인 로그아웃 회원 가입 인증 비밀번호 암호 해시 토큰 세션 권한 계정 인증번호 보안 갱신 만료
결제 카드 환불 주문 구독 청구 영수증 페이 가격
알림 문자 이메일 메일 푸시 발송 인증번호 휴대폰 카카오톡 알림톡
이미지 사진 업로드 파일 픽셀 프로필 저장소 썸네일 동영상
날짜 시각 시간대 타임존 협정 세계시 서울 유티시 예약 알림
스케줄 배치 크론 에어플로 새벽 밤마다 매일 작업 스케줄러 예약
검색 색인 인덱스 엘라스틱서치 오픈서치 질의 순위
이름 변수 함수 주석 설명 규칙 컨벤션 리팩터링 모듈 가독성 읽기 코드 문서
"""
_BY_WORD: dict[str, list[int]] = {}
_MEMBERS = [tuple(dict.fromkeys(line.split())) for line in _GROUPS.strip().replace("\n  ", " ").split("\n")]
for _number, _words in enumerate(_MEMBERS):
    for _word in _words:
        _BY_WORD.setdefault(_word, []).append(_number)


def root_of(word: str) -> str:
    """A Korean word without its last particle or ending, empty where nothing that tells something is left."""
    if word in _BY_WORD:
        return word
    root = without_ending(word)
    if word in PLAIN or root in PLAIN:
        return ""
    if len(root) != 1:
        return root
    # Many nouns of two syllables end like a particle.
    return "" if root in _SMALL else root if root in _BY_WORD or len(word) > 2 else word


def related(word: str) -> list[tuple[str, ...]]:
    """The groups of words that go with a Korean word: with the longest beginning of it that is in one."""
    for end in range(len(word), 0, -1):
        if word[:end] in _BY_WORD and (end > 1 or len(word) == 1):
            return [_MEMBERS[number] for number in _BY_WORD[word[:end]]]
    return []
