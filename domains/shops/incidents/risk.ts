import type { LocalizedText } from '#kit/resource/index.ts'

/** Facts from which the risk of a case is computed. */
type RiskFacts = {
  kind: string
  level: number
  /** Number of times the same cause was reported. */
  count: number
  /** Amount at stake, in cents. */
  cents: number
  waitedMinutes: number
  isWaiting: boolean
  /** Nobody works in the shop at the moment. */
  isUnattended: boolean
  /** The shop's gateway is offline, so neither doors nor announcements can be controlled. */
  isOffline: boolean
  /** Other open cases of the shop. */
  others: number
  /** Earlier unpaid visits of the customer. */
  unpaidBefore: number
}

export type RiskPart = { key: keyof typeof says; points: number; params?: Record<string, number> }

/** Base points of each kind; other kinds get points by level. */
const BASE: Record<string, number> = {
  sos: 100,
  intrusion: 80,
  doorForced: 75,
  lockFault: 55,
  doorLeftOpen: 50,
  deviceTwin: 50,
  unpaidLeave: 45,
  suspicious: 40,
  temperature: 40,
  offline: 35,
  refund: 15,
  paperOut: 10,
}
const PER_LEVEL = 10

const says = {
  base: { zh: '事项类型', en: 'case type' },
  unattended: { zh: '店内无人值守', en: 'store is unattended' },
  offline: { zh: '网关离线，开不了门也喊不了话', en: 'gateway offline, doors and talk-down unavailable' },
  repeated: { zh: '已发生 {count} 次', en: 'occurred {count} {count|time|times}' },
  money: { zh: '涉及 ¥{yuan}', en: '¥{yuan} at stake' },
  waiting: { zh: '已等待 {minutes} 分钟', en: 'waiting {minutes} min' },
  others: { zh: '本店还有 {count} 件未结', en: '{count} more open in this store' },
  known: { zh: '此人有 {count} 次未付款', en: '{count} earlier {count|walkout|walkouts} by this person' },
} satisfies Record<string, LocalizedText>
export const riskPartLabels: Record<string, LocalizedText> = says

const atMost = (most: number, value: number) => Math.min(most, Math.max(0, Math.floor(value)))

/** Computes the risk score of a case and the parts it is made of. */
export function scoreCaseRisk(facts: RiskFacts): { score: number; parts: RiskPart[] } {
  const { kind, level, count, cents, waitedMinutes, others, unpaidBefore } = facts
  const parts: RiskPart[] = [
    { key: 'base', points: BASE[kind] ?? level * PER_LEVEL },
    { key: 'unattended', points: facts.isUnattended && kind !== 'refund' ? 10 : 0 },
    { key: 'offline', points: facts.isOffline && !['refund', 'offline'].includes(kind) ? 10 : 0 },
    { key: 'repeated', points: atMost(10, 2 * (count - 1)), params: { count } },
    { key: 'money', points: atMost(20, cents / 1000), params: { yuan: Math.round(cents / 100) } },
    { key: 'known', points: atMost(20, 10 * unpaidBefore), params: { count: unpaidBefore } },
    { key: 'others', points: atMost(15, 5 * others), params: { count: others } },
    { key: 'waiting', points: facts.isWaiting ? atMost(15, waitedMinutes) : 0, params: { minutes: waitedMinutes } },
  ]
  const counted = parts.filter(({ points }) => points > 0)
  return { score: counted.reduce((sum, { points }) => sum + points, 0), parts: counted }
}

/** Scores from which a case is shown as high or raised risk. */
export const RISK_THRESHOLDS = { high: 80, raised: 45 } as const
