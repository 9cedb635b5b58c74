import { formatText, type LocalizedText } from '#kit/resource/index.ts'

/** Why somebody is not let in, as the log tells it and the door where nothing more is known. */
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
/** What who is kept out is told besides: how to appeal. */
const BLOCKED_CONTACT: LocalizedText = {
  zh: '暂时不能进店。如有异议可以申诉：请联系门店，报名单编号 {entryNo}',
  en: 'You cannot enter. To appeal, contact the store and quote entry {entryNo}.',
}
/** The same where the shop has a phone. */
const BLOCKED_CALL: LocalizedText = {
  zh: '暂时不能进店。如有异议可以申诉：请致电 {phone}，报名单编号 {entryNo}',
  en: 'You cannot enter. To appeal, call {phone} and quote entry {entryNo}.',
}

/** Where somebody who is kept out can say that it is not right. */
export type EntryAppeal = { entryNo: string; phone?: string }

/** What a door says, and to whoever is kept out how to appeal. */
export function entryRefusalText(why: EntryRefusal, appeal: EntryAppeal | undefined): LocalizedText {
  const appealed = appeal && (appeal.phone ? BLOCKED_CALL : BLOCKED_CONTACT)
  const words = (why === 'blocked' && appealed) || entryRefusalTexts[why]!
  return formatText(words, appeal)
}

export type EntryRefusal = 'shopClosed' | 'blocked' | 'codeInvalid' | 'codeUsed' | 'stranger' | 'membersOnly'

/** All that the answer at a door stands on. */
export type EntryFacts = {
  isOpen: boolean
  /** Nobody is there to look after who comes in. */
  isUnattended: boolean
  entryMode: string
  membersOnly: boolean
  /** What was shown for a code: none, one that can be taken, or one that cannot. */
  code: 'none' | 'good' | 'invalid' | 'used'
  wxUserId: string | null
  isMember: boolean
  isBlocked: boolean
}

/** Why a person may not come in, if not. Who is blacklisted stays out, whoever is there and however they come. */
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
