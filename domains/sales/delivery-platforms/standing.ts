import { f, type LocalizedText } from '#kit/resource/index.ts'
import { localize, type Lang } from '#kit/base/localized-text.ts'
import { SYNC_STATE } from './dictionaries.ts'

/** The one status of a shop at a platform; it decides the next step to show. */
type PlatformShopStatus =
  | 'refused'
  | 'notApplied'
  | 'underReview'
  | 'offline'
  | 'closed'
  | 'paused'
  | 'resting'
  | 'open'
  | 'openChangeRefused'

/** What a platform reports of a shop, in shared terms. */
export type PlatformShopStatusFacts = {
  review: 'none' | 'underReview' | 'refused' | 'approved'
  /** Shown to customers at the platform; undefined where the platform does not report it separately. */
  isOnline?: boolean
  hours: 'open' | 'resting' | 'closed' | undefined
  isPaused: boolean
  syncStatus: number | null
}

const standings: Record<PlatformShopStatus, { is: LocalizedText; next: LocalizedText }> = {
  refused: {
    is: { zh: '已驳回，没有营业', en: 'Rejected, not open' },
    next: { zh: '按驳回原因修改，再申请入驻', en: 'Correct the rejected items, then apply again' },
  },
  notApplied: { is: { zh: '未入驻', en: 'Not listed' }, next: { zh: '申请入驻', en: 'Apply for listing' } },
  underReview: {
    is: { zh: '审核中', en: 'Under review' },
    next: { zh: '等平台审核，不用操作', en: 'Waiting for the platform. No action needed.' },
  },
  offline: {
    is: { zh: '审核通过，未上线', en: 'Approved, offline' },
    next: {
      zh: '打开“在平台营业”，或到平台后台上线',
      en: 'Turn on “Open at platform”, or go live in the platform back office',
    },
  },
  closed: {
    is: { zh: '平台已停止营业', en: 'Closed by platform' },
    next: { zh: '到平台后台查看停业原因', en: 'Check the reason in the platform back office' },
  },
  paused: {
    is: { zh: '自动暂停', en: 'Paused automatically' },
    next: { zh: '处理暂停原因，恢复后自动开店', en: 'Resolve the cause. The store reopens automatically.' },
  },
  resting: {
    is: { zh: '休息中', en: 'Paused' },
    next: { zh: '要营业就打开“在平台营业”', en: 'Turn on “Open at platform” to trade' },
  },
  open: { is: { zh: '营业中', en: 'Open' }, next: { zh: '', en: '' } },
  openChangeRefused: {
    is: { zh: '营业中，资料修改被驳回', en: 'Open, change rejected' },
    next: { zh: '按驳回原因修改资料并保存', en: 'Correct the rejected details and save' },
  },
}

const SYNC_AGAIN: LocalizedText = { zh: '看同步错误，改好后保存', en: 'Read the sync error, correct it and save' }

/** Derives the status of a shop at a platform. The review counts before the opening hours. */
export function derivePlatformShopStatus({
  review,
  isOnline,
  hours,
  isPaused,
}: PlatformShopStatusFacts): PlatformShopStatus {
  const isTrading = isOnline === true && hours === 'open'
  if (review === 'refused') return isTrading ? 'openChangeRefused' : 'refused'
  if (review === 'none') return 'notApplied'
  if (review === 'underReview' && !isTrading) return 'underReview'
  if (isPaused) return 'paused'
  if (isOnline === false) return 'offline'
  if (hours === 'open') return 'open'
  return hours === 'closed' ? 'closed' : isOnline === undefined && !hours ? 'offline' : 'resting'
}

/** Computed fields of a platform shop: its status and the next step. */
export const platformShopStatusFields = {
  standing: f.text({ label: { zh: '平台状态', en: 'Platform status' }, computed: true, form: 'hidden', width: 150 }),
  nextStep: f.text({ label: { zh: '下一步', en: 'Next step' }, computed: true, form: 'hidden', width: 220 }),
}

/** Makes a `present` hook that writes each shop's status and next step. `factsOf` translates the platform's codes. */
export const presentPlatformShopStatus =
  <R extends object>(factsOf: (row: R) => PlatformShopStatusFacts) =>
  (wire: Record<string, unknown>[], rows: readonly R[], { lang }: { lang: Lang }): void => {
    for (const [at, row] of rows.entries()) {
      const facts = factsOf(row)
      const { is, next } = standings[derivePlatformShopStatus(facts)]
      const step = localize(next, lang)
      wire[at]!.standing = localize(is, lang)
      wire[at]!.nextStep = step || (facts.syncStatus === SYNC_STATE.failed ? localize(SYNC_AGAIN, lang) : '')
    }
  }
