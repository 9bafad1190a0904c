"""How often a word stands in a paragraph about anything: README files, change logs and talk of many kinds.

Stems by how often, in steps of two; a word that is not here is rarer than the last step. What a memory holds far more
often than this is its own language, and a prompt that speaks it is about this project. In the first group stand names
that anybody's prompt may have, too, wherever they are met: languages, products, months, cities.
"""

from __future__ import annotations

from hipocampus.core.native import lru_cache

RAREST = 0.0006
# The first group is from RAREST up, each further one twice as frequent.
_GROUPS = (
    """
ability abstract accessor accommodation accord according act address affordabl afternoon ahead air airlin airport ajax
alex algorithm alia allocation alpin alternative amd american analytic analyz android angular animal ansibl answer
antiqu anxiety apartment appear append appli appointment appreciat arbitrary arch architectur archiv arm ascii aspect
asset associat assum atmospher attempt attract attraction audiobook august auth automat automatic averag awar away aws
azur baby background backward band bank basket batch bazel beautiful begin behind berlin beta bind bird bitbucket board
boston bottl bound brief broken brown business caf calculat calendar california calm cam career carry cast categoriz cc
cflag cgi chain char chart chatgpt chees chicago child chines chip christma chrom chunk clang clarify claud claus
cleanup closer cloud club cmak cocktail codebas coin collaboration colleagu collect column combin comedy commitment
communit comparison compilation complete comput con concept conda conditional conf conferenc confident confluenc
constant construct container contract contribution contributor conversion cool coordinat cop copilot correspond coupl
coupon coursera cousin coworker craft crash crazy cream creativ credit crowd cucumber cuisin cultur cultural cup cypres
daniel dark dataset debian debugg december declar declaration dedicat deliciou deno dep designer destination detection
devic dict diet difficult director discord discuss distanc distcheck distribut distribution diversity django docker
doctor dom domain downtown dr draft dry dump duplicat earn easter eco ecosystem edg education efficient effort egg
elasticsearch emac emi emit emotional employe encounter encourag endpoint engin engineer english env err esm europ ever
excel exchang exclud execut expos expres extract fac facebook fallback familiar fan fashion fastapi faster february
fedora feedback fi fibonacci fiction figma fin financ firebas firefox fiv flask flexibility float flour fly folder
formatt forum foundation four fram framework freebsd french friday front fruit ful gain gallon gemini gen gender genr
german gitlab golang grab gradl graduat grafana grandmother graphql green grill growth grpc gt guest guidanc guidelin
gym hand handler haskell healthcar height helm helper herb heroku higher highlight historical hold homemad homepag
hometown honey hot human identity ietf ii inclusion inclusiv indian indicat influenc initiativ inlin inspiration
installer instructor insuranc integrat intel interact interactiv international interval investment invit invok ios
island isn istio italian jackson jam january japan japanes jenkin jest jira john journal jshttp july jump junit jwt
kafka kem kevin kid kit knowledg korean kotlin kubernet lambda lamp land laptop larger launch layer layout leagu lean
leftover legacy lemon len lesson like linkedin listener literal lock logic london lookup los lost lower loyalty ls luna
luxury maco malloc manager mandatory march mariadb marvel maven maximiz maximum mc measur mental meson michael microsoft
mid migrat milk minimal minimum mis mocha modifi mom monday mongodb mood mount mozilla multi museum mysql nearby necklac
negativ neighborhood netbsd netflix neutral newer nginx nice nodei normaliz noth novel november numpy nvidia oauth obj
obsolet october offic official offset oh ok okay openai openbsd openssl operator opinion opportunit optimiz organization
overall overview overwhelm pac panda parent pari partial partner pasta pay paypal pc period perl permission person
personaliz perspectiv pet peter photoshop physical pick pillow plain plastic player playwright plot plugin pm podcast
pop portabl portugues positiv posix postgr postgresql powerpoint practical prep presenc previous prim pro prog prometheu
promot promotion protein protobuf proxy psf pur pursu push pydantic pytorch rabbitmq rac rack rail random ratio react
readabl reason reddit redi ref refer reflect refresh region regression reject relationship relativ reliabl rely reminder
render rent replacement representation reset respond rest restor reusabl reward rewrit rfc rich risk rom round rs rst
ruby russian rust safari safety salad sarah scala schem sci scor scratch screen secret selection selenium semantic
sentiment sentry september sequenc setuptool shap ship shot shouldn shower shown signal signatur silent silver simplify
situation six skincar slack slight smaller smart smooth sneaker soccer socket solari solution sourdough spanish
specializ spic spider split sponsor sport spr spreadsheet sqlit squar ssh star starter startup station stopp storytell
strategy street strength stretch strip student studio stuff sub succes sugar sup super surpris surround sus sustainabl
svelt swift swimm syrup taken tarball tea teach technology tend tensorflow terminal terraform texa textur throughout
ticket tls tomato touch town toy transform transition transport transportation triathlon trigger troubl trust tuesday
tun twic twist twitter ubuntu unix unnecessary unsign utility utm valuabl variety vegetabl vegg vendor venu vercel vim
virtual visualization vit volunteer vs vscod vue vulnerability wak wall war warm wash wast waterproof webpack wedd
wednesday weight welcom went whatwg whitespac wid wikipedia winter wish women worker worri wrap wrapp wrapper wrong yaml
yes york zoom
""",
    """
account achiev acros activ adam addition addres advanc age agent aim album allocat alternativ amazon amount analysi
anyth anyway ap apach appl appropriat approv april arg art articl artist auto autoconf automak bad bag bak balanc
basic bbq beach becom bed beginner benchmark benefit bin black block blog blu boot bought box bread breakfast bump
bundl busines cak callback camp campaign cannot captur card cat catch certain certification changelog charity charset
choic classic clon cloth co combination comfortabl compan company complement complex component computer concern
concert conduct consistent constructor contact convenient conversation count cover cros customer customiz cut cycl
david debug decid decision decod deep degre delet deprecat depth describ dessert detect determin digital dir discount
discover discus discussion dish div dog doubl drink drop due dynamic ear earlier easi easier eat edit effectiv
effective element els energy engagement entir entr entry equivalent es escap essential everyon exact except exception
exit expand expens extend external eye factor failur fall farm fascinat figur filenam fill film filter fish fitnes
flat flight follower forc francisco freedesktop fs functionality further garden gear generation githubusercontent
gitignor goe googl graph grocery grow guitar habit happen happy hard hash haven he head health hear him his hook hotel
hous however href hug identify im importanc improvement incorrect independent indi individual industry ingredient
initial initializ insid insight inspir instruction int introduc invest involv itself jewelry job keyword kitchen larg
leak least leav left littl location logo loop low lunch machin mail maintenanc major management manual map mapp
markdown martin material medical meditation medium member merg met mil min minor minut modern modify money motivat
mountain movi national necessary network normal often oil older operat operation opt osi outdoor outsid overflow
overrid pack paint paper participat pattern perfect perform photography pkg playlist plu policy port position prefix
present preserv prioritiz privat probab professional profil promis prompt protect protocol prototyp publish pull
purchas purpos put pypa pytest pyversion quit quot rachel rais rar rat ready realistic realiz receiv red redhat
register registry relax relevant remain remind repository represent req requirement res revert roast rock sampl san
saturday sauc saw scal scen scenic school scienc scop sdk season seen select self sell ser serv setup several shell
sho shopp showcas significant simp sister sit skin skip sleep slow snack solo someon sometim song sort spe
specification specify spend spent stack stand statement stick storag strateg strict strong struct struggl subscription
successful suit suitabl summer sunday sweet symbol sync syntax talk tank tech templat tenni third though thought
thread thursday tidelift titl together tokyo ton took total tour toward tracker traditional trend tub tutorial tv
typescript typical typo undefin unicod unit university unknown unles until unus upcom utf util validat validation
verify vintag visual wear weather whether whit whol width wiki win won workshop wow written xml xorg yoga
""",
    """
abl abov acces activit adjust affect again against ai align along another approach assert async attribut audienc
automatical await bar bash behavior below big bik binary birthday body boolean br brand break bring browser bsd budget
built buy byt ca cach camera caus center challeng channel chat chicken choos chore city class classifier clear cli
clos codecov coffe collection community commut compar compatibility compatibl compil compiler complet condition
configuration connect connection context continu contribut control convert cook copy cor cost cours coverall curiou
custom deal def definition depend dependenc dependency develop did didn differenc dinner display dist dm doesn down
driv effect either email empty engag enjoy enough ensur equal etc everyth exercis explain explicit export expression
extension fami far fast favorit feat festival fetch final finish fit flag flavor focus form forward fresh fun futur
gaetan gcc general gh gift given glad global gmail goal healthy hello hik history hop host hour hub id impact
important incorporat increas index init instagram installation instanc integer intend interfac internal invalid item
jan java javascript join jun kind known label later lead length les let librar lif light linux listen load longer mac
maintain man manag mark market meal media meet memory memsiz metadata mind mit mix morn multipl myself nadon nativ
natural near never nic night notic null onc original os otherwis pair park party pas past peopl per perf personal phon
photo pi piec plant png pointer popular potential power practic pre prefer prepar pretty prevent previou pric problem
process produc production programm progres proper propert property public quality query quick rang rather raw reach
readm record reduc refactor regular relat remember renam repo resolv respons restaurant review rid road rol room root
rout rul runn runtim saf sal sat say schedul schema search second security seem send sens separat session she shop
short sid singl skill social softwar soon spec special specifi specifical spot stabl static step stop story structur
summary switch tabl tag task team term thre throw today token top topic trail train travel travi tre treat tri ts turn
txt under understand uniqu upgrad useful usual valid variou very via video videotron view wait walk water websit why
within word workout world worth yeah yet yml zero
""",
    """
ac accept action additional advic ago alan already alt alway am amaz application area argument array ask attend avoid
becaus being best better between blob book both branch buffer car character ci clas clean client color command comment
common config contain coopersmith correct coverag dai day defin description design dev developer development direct
directory disabl document doing download easy enabl encod environment even every excit exist expect experienc
experiment extra fail fals feel field focu foo food format found fre fri full gam generat git go going group guid
header heard high hom ignor implement implementation info input languag late level lib limit link liv long macro mad
makefil many master match max mayb md mean mention messag method might miss mod model mon mov much music must net next
nodej npmj offer old optional oracl order organiz output over own pag parameter parser part particular pass patch
performanc pip plac plan platform play pleas point possibl post print proces product program py pypi question
readthedoc referenc replac research resourc result right routin sav section server servic sett sh shar show similar
simpl siz small spac speak standard stat stay stream styl such suggest sun techniqu thing through thu too tool tue two
us usag var variabl visit warn watch web wed weekend whil who window without workflow year
""",
    """
actual after allow api app around availabl back badg bas befor bit bug call cas configur consider consol const content
could current definite detail different documentation doe don dur each en end especial event explor featur few find
first follow friend gett giv got had handl helpful her html imag img import improv information instead issu its json
keep key last latest learn library lin local log lot lov main may modul month most non npm number object off onlin
open our pars path plann re read recent recip releas report request run sam script shield sign sinc someth sound sourc
specific src statu still stor suggestion svg system tak target tell text than thank their then thos track trip tru url
user week well wher wonder writ www your
""",
    """
all author build chang check cod commit creat dat data default doc error exampl function get github good great has
help idea includ install interest into io js just know list look nam need no nod now one only option other packag
project provid python real recommend recommendation remov requir return see set should so start str support sur test
them ther thes they tim tip typ up updat used using valu want we what which will work would
""",
    """
about add also an are as at been but fil fix how if lik ll mak me mor new not org out try use ve version was way when
""",
    """
any be by can com do from hav http is it my on or som that thi think with
""",
    """
and for in of you
""",
    """
the to
""",
)

# Looked through for a word: a prompt has some twenty, and to make a table of two thousand takes longer.
_STEPS = tuple(group.replace("\n", " ") for group in _GROUPS)


@lru_cache(maxsize=1 << 14)
def share_of(stem: str) -> float:
    """How often a stem is met, as a share of paragraphs: the middle of its step."""
    for step, stems in enumerate(_STEPS):
        if " " not in stem and f" {stem} " in stems:
            return RAREST * 2.0**step * 1.4
    return RAREST
