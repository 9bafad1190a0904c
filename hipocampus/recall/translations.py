"""Words that mean the same in a software project, in English and Korean: one is found by the others."""

from __future__ import annotations

_GROUPS = """
배포 릴리스 출시 deploy release rollout
데이터베이스 디비 DB database postgres postgresql mysql
테스트 test pytest spec
커밋 commit
캐시 cache redis 레디스
로그 로깅 log logging
비밀번호 암호 password
결제 payment billing checkout
환불 refund
로그인 login signin
가입 signup registration
인증 auth authentication
권한 permission role
오류 에러 버그 error bug 예외 exception
장애 incident outage
설정 구성 config configuration setting
검색 search
화면 페이지 screen page view
프론트엔드 frontend 리액트 react
백엔드 backend
서버 server 운영 production
속도 성능 performance speed latency
느림 느린 slow
마이그레이션 이전 migration
브랜치 branch
의존성 dependency 라이브러리 library
문서 docs documentation
알림 notification 푸시 push
주소 address
사용자 유저 회원 user account
주문 order
배송 shipping delivery
재고 stock inventory
스키마 schema
테이블 table
인덱스 색인 index
백업 backup
보안 security
토큰 token
세션 session
요청 request
응답 response
제한 limit throttle
큐 대기열 queue
스케줄 일정 예약 schedule cron
이메일 메일 email mail
파일 file
업로드 upload
번역 다국어 translation i18n locale
단위 unit
커버리지 coverage
컴포넌트 component
디자인 design
시간대 timezone
휴가 휴일 holiday
회의 미팅 meeting
규칙 convention rule 컨벤션
주석 comment
리뷰 검토 review
환경 environment
컨테이너 도커 docker container
모니터링 monitoring 대시보드 dashboard
통계 statistics metrics
웹훅 webhook
캘린더 달력 calendar
스테이징 staging
백그라운드 background
파이썬 python
자바스크립트 javascript
타입스크립트 typescript
컨트롤러 controller
라우터 라우팅 router
미들웨어 middleware
쿼리 query
트랜잭션 transaction
잠금 lock
스레드 thread
비동기 async
동기화 sync
커넥션 connection
타임아웃 timeout
재시도 retry
배치 batch
워커 worker
이벤트 event
버튼 button
모달 modal
폰트 글꼴 font
아이콘 icon
이미지 image
사진 photo
동영상 video
다운로드 download
내보내기 export
필터 filter
정렬 sort
가격 price
할인 discount
쿠폰 coupon
구독 subscription
청구서 invoice
영수증 receipt
세금 tax
통화 currency
고객 customer
관리자 admin
버전 version
빌드 build
파이프라인 pipeline
린트 lint
리팩터링 refactoring
패키지 package
플러그인 plugin
템플릿 template
개인정보 privacy
암호화 encryption
인증서 certificate
도메인 domain
프록시 proxy
클라우드 cloud
저장소 스토리지 storage
누수 leak
경보 alert
로그아웃 logout
초대 invitation
병합 머지 merge
충돌 conflict
태그 tag
반올림 rounding
작업 job
대기 waiting
스팸 spam
"""
# Looked through for a word, between spaces: a prompt has some twenty, and to make a table of all takes longer.
_LINES = _GROUPS.lower().replace("\n", " \n ")


def same_meaning(word: str) -> tuple[str, ...]:
    """Other words for `word` (lower case); of a Korean word with particles, for the longest beginning that is known."""
    ends = () if word.isascii() else range(len(word) - 1, 1, -1)
    for known in (word, *(word[:end] for end in ends)):
        at = _LINES.find(f" {known} ")
        if at >= 0:
            line = _LINES[_LINES.rfind("\n", 0, at) : _LINES.find("\n", at)]
            return tuple(other for other in line.split() if other != known)
    return ()
