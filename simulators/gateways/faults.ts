import type { Faults } from './protocol.ts'

type Rule =
  | { form: 'yes' }
  | { form: 'number'; max: number; usual: number }
  | { form: 'word'; words: readonly string[] }
const yes: Rule = { form: 'yes' }
const number = (max: number, usual: number): Rule => ({ form: 'number', max, usual })

const RULES: Record<keyof Faults, Rule> = {
  offline: yes,
  slow: number(600_000, 2_000),
  deafAck: yes,
  deafEvtack: yes,
  noResult: yes,
  lying: yes,
  duplicates: yes,
  drop: number(1, 0.2),
  reorder: yes,
  clockError: { form: 'number', max: 10 * 366 * 86_400_000, usual: 600_000 },
  powerCut: number(86_400, 10),
  lateWill: number(600_000, 2_000),
  paperOut: yes,
  upgrade: { form: 'word', words: ['download', 'checksum', 'rollback', 'neverBack'] },
  tagRefuses: number(1, 1),
  lockStuck: yes,
  flood: number(10_000, 100),
  malformed: yes,
  huge: number(10_000_000, 100_000),
}
export const FAULTS = Object.keys(RULES) as (keyof Faults)[]

/** Which value a fault has; null takes it away, undefined is not understood. */
export function faultValue(name: string, value: unknown): Faults[keyof Faults] | null | undefined {
  const rule = Object.hasOwn(RULES, name) ? RULES[name as keyof Faults] : undefined
  if (!rule) return undefined
  if (value === null || value === false) return null
  if (rule.form === 'yes') return value === true ? true : undefined
  if (rule.form === 'word') return rule.words.includes(value as string) ? (value as Faults['upgrade']) : undefined
  if (value === true) return rule.usual
  const least = name === 'clockError' ? -rule.max : 0
  return typeof value === 'number' && value >= least && value <= rule.max ? value : undefined
}

type Aim = { share?: number; clientIds?: string[] }
export type FaultOrder = Aim & { faults: Partial<Record<keyof Faults, Faults[keyof Faults] | null>> }

/** `drop=0.1@20%`, `offline@GW0001`: a fault, its value, and for whom; undefined for anything else. */
export function faultOrderOf(text: string): FaultOrder | undefined {
  const match = /^(\w+)(?:=(-?[\w.]+))?(?:@(?:(\d+(?:\.\d+)?)%|([\w-]{6,64})))?$/.exec(text)
  if (!match) return undefined
  const [, name, said, percent, clientId] = match
  const value = faultValue(name!, said === undefined ? true : Number.isNaN(Number(said)) ? said : Number(said))
  if (value === undefined) return undefined
  return {
    faults: { [name!]: value },
    ...(percent === undefined ? {} : { share: Number(percent) / 100 }),
    ...(clientId === undefined ? {} : { clientIds: [clientId] }),
  }
}
