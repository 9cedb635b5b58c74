import { fillLocalizedText, type LocalizedText } from '#kit/resource/index.ts'

/** Why somebody was not let in, for the log and the door's display. */
export const entryRefusalTexts: Record<string, LocalizedText> = {
  shopClosed: { zh: '门店暂未营业', en: 'The store is currently closed' },
  blocked: { zh: '暂时不能进店，请联系门店', en: 'You cannot enter right now. Contact the store.' },
  codeInvalid: {
    zh: '进店码无效或已过期，请刷新后再试',
    en: 'The entry code is invalid or expired. Refresh it and try again.',
  },
  codeUsed: { zh: '进店码已被使用，请刷新后再试', en: 'The entry code was already used. Refresh it and try again.' },
  stranger: { zh: '请先在小程序登记后再进店', en: 'Register in the mini program before you enter' },
  membersOnly: { zh: '本店无人值守时仅限会员进店', en: 'While unattended, this store is open to members only' },
}
/** Shown to a blocked person: how to appeal. */
const BLOCKED_CONTACT: LocalizedText = {
  zh: '暂时不能进店。如有异议可以申诉：请联系门店，报名单编号 {entryNo}',
  en: 'You cannot enter. To appeal, contact the store and quote entry {entryNo}.',
}
/** The same for a shop with a phone number. */
const BLOCKED_CALL: LocalizedText = {
  zh: '暂时不能进店。如有异议可以申诉：请致电 {phone}，报名单编号 {entryNo}',
  en: 'You cannot enter. To appeal, call {phone} and quote entry {entryNo}.',
}

/** What a blocked person needs to appeal. */
export type EntryAppeal = { entryNo: string; phone?: string }

/** Returns what the door shows for a refusal. A blocked person is told how to appeal. */
export function entryRefusalText(why: EntryRefusal, appeal: EntryAppeal | undefined): LocalizedText {
  const appealed = appeal && (appeal.phone ? BLOCKED_CALL : BLOCKED_CONTACT)
  const words = (why === 'blocked' && appealed) || entryRefusalTexts[why]!
  return fillLocalizedText(words, appeal)
}

export type EntryRefusal = 'shopClosed' | 'blocked' | 'codeInvalid' | 'codeUsed' | 'stranger' | 'membersOnly'

/** Everything the decision about an entry depends on. */
export type EntryFacts = {
  isOpen: boolean
  /** Whether no staff is present. */
  isUnattended: boolean
  entryMode: string
  membersOnly: boolean
  /** State of the code that was shown: `good` can be used, `used` and `invalid` cannot. */
  code: 'none' | 'good' | 'invalid' | 'used'
  wxUserId: string | null
  isMember: boolean
  isBlocked: boolean
}

/** Returns why a person may not come in, or undefined. A blacklisted person is refused in every case. */
export function decideEntryRefusal(facts: EntryFacts): EntryRefusal | undefined {
  if (!facts.isOpen) return 'shopClosed'
  if (facts.isBlocked) return 'blocked'
  if (facts.code === 'invalid') return 'codeInvalid'
  if (facts.code === 'used') return 'codeUsed'
  if (!facts.isUnattended) return undefined
  if (facts.membersOnly) return facts.isMember ? undefined : facts.wxUserId ? 'membersOnly' : 'stranger'
  if (facts.entryMode === 'open') return undefined
  return facts.wxUserId ? undefined : 'stranger'
}
