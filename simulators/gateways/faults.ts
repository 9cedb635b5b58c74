import type { Words } from '#kit/resource/index.ts'
import type { Faults, Kind } from './protocol.ts'

type Rule = (
  | { form: 'yes' }
  | { form: 'number'; max: number; usual: number; unit?: Words }
  | { form: 'word'; words: readonly { key: string; label: Words }[] }
) & {
  label: Words
  /** Over with what it did: there is nothing to take away again. */
  once?: true
  /** What can have it, printers at a maker among them; unless said, whatever speaks the protocol. */
  of?: readonly (Kind | 'printer')[]
}
const yes = (zh: string, en: string) => ({ form: 'yes', label: { zh, en } }) satisfies Rule
const number = (zh: string, en: string, max: number, usual: number, unit?: Words) =>
  ({ form: 'number', max, usual, ...(unit && { unit }), label: { zh, en } }) satisfies Rule
const word = (key: string, zh: string, en: string) => ({ key, label: { zh, en } })
const MS = { zh: '毫秒', en: 'ms' }
const SHARE = { zh: '比例', en: 'share' }

/** What can be wrong with a device. The command line, the control and the page of faults all read this. */
const RULES: Record<keyof Faults, Rule> = {
  offline: { ...yes('离线', 'Offline'), of: ['gateway', 'power', 'register', 'printer'] },
  slow: number('反应慢', 'Slow', 600_000, 2_000, MS),
  deafAck: yes('不回确认', 'Says nothing on taking a command'),
  deafEvtack: yes('听不到事件确认', 'Deaf to acknowledgements of its events'),
  noResult: yes('不报结果', 'Never says how a command ended'),
  lying: yes('谎报完成', 'Says done, and does nothing'),
  duplicates: yes('重复发送', 'Says everything twice'),
  drop: number('丢消息', 'Loses messages', 1, 0.2, SHARE),
  reorder: yes('消息乱序', 'Messages out of order'),
  clockError: number('时钟偏差', 'Clock error', 10 * 366 * 86_400_000, 600_000, MS),
  powerCut: { ...number('断电', 'Power cut', 86_400, 10, { zh: '秒', en: 's' }), once: true },
  lateWill: { ...number('遗嘱迟到', 'Late will', 600_000, 2_000, MS), once: true },
  paperOut: { ...yes('缺纸', 'Out of paper'), of: ['gateway', 'register', 'printer'] },
  upgrade: {
    form: 'word',
    label: { zh: '升级失败', en: 'Failing upgrades' },
    words: [
      word('download', '下载不了', 'Cannot download'),
      word('checksum', '校验不过', 'Wrong checksum'),
      word('rollback', '回到旧版本', 'Comes back with the old version'),
      word('neverBack', '再也起不来', 'Never comes back'),
    ],
  },
  tagRefuses: { ...number('价签不刷新', 'Tags do not take pictures', 1, 1, SHARE), of: ['gateway'] },
  lockStuck: { ...yes('门锁卡住', 'Stuck lock'), of: ['gateway'] },
  flood: number('消息泛滥', 'Floods', 10_000, 100, { zh: '条/秒', en: 'a second' }),
  malformed: yes('乱码消息', 'Malformed messages'),
  huge: number('超大消息', 'Huge messages', 10_000_000, 100_000, { zh: '字节', en: 'bytes' }),
}
export const FAULTS = Object.keys(RULES) as (keyof Faults)[]

/** The table as it is shown: each fault by its name, with its words. */
export const faultTable = () => FAULTS.map((name) => ({ name, ...RULES[name] }))
export type FaultShown = ReturnType<typeof faultTable>[number]

/** Which value a fault has; null takes it away, undefined is not understood. */
export function faultValue(name: string, value: unknown): Faults[keyof Faults] | null | undefined {
  const rule = Object.hasOwn(RULES, name) ? RULES[name as keyof Faults] : undefined
  if (!rule) return undefined
  if (value === null || value === false) return null
  if (rule.form === 'yes') return value === true ? true : undefined
  if (rule.form === 'word')
    return rule.words.some(({ key }) => key === value) ? (value as Faults['upgrade']) : undefined
  if (value === true) return rule.usual
  const least = name === 'clockError' ? -rule.max : 0
  return typeof value === 'number' && value >= least && value <= rule.max ? value : undefined
}

type Aim = { share?: number; clientIds?: string[] }
export type FaultOrder = Aim & { faults: Partial<Record<keyof Faults, Faults[keyof Faults] | null>> }

/** `drop=0.1@20%`, `offline@GW0001`: a fault, its value, and for whom; undefined for anything else. */
export function faultOrderOf(text: string): FaultOrder | undefined {
  const match = /^(\w+)(?:=(-?[\w.]+))?(?:@(?:(\d+(?:\.\d+)?)%|([\w/-]{6,64})))?$/.exec(text)
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
