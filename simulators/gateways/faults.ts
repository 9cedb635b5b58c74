import { PLATFORM_RULES, type PlatformFaults, type PlatformKind } from '../outside/faults.ts'
import { MS, number, word, yes, type FaultRule } from './fault-rule.ts'
import type { Faults, Kind } from './protocol.ts'

const SHARE = { zh: '比例', en: 'share' }

type Breakable = Kind | 'printer' | PlatformKind
/** Kinds that a fault applies to when its rule names none. */
const DEVICES: readonly Breakable[] = ['gateway', 'power', 'register']

/** The faults of devices. The command line, the control server and the fault page read this table. */
const RULES: Record<keyof Faults, FaultRule<Kind | 'printer'>> = {
  offline: { ...yes('离线', 'Offline'), of: ['gateway', 'power', 'register', 'printer'] },
  slow: number({ zh: '反应慢', en: 'Slow' }, 600_000, 2_000, MS),
  deafAck: yes('不回确认', 'Says nothing on taking a command'),
  deafEvtack: yes('听不到事件确认', 'Deaf to acknowledgements of its events'),
  noResult: yes('不报结果', 'Never says how a command ended'),
  lying: yes('谎报完成', 'Says done, and does nothing'),
  duplicates: yes('重复发送', 'Says everything twice'),
  drop: number({ zh: '丢消息', en: 'Loses messages' }, 1, 0.2, SHARE),
  reorder: yes('消息乱序', 'Messages out of order'),
  clockError: number({ zh: '时钟偏差', en: 'Clock error' }, 10 * 366 * 86_400_000, 600_000, MS),
  powerCut: { ...number({ zh: '断电', en: 'Power cut' }, 86_400, 10, { zh: '秒', en: 's' }), once: true },
  lateWill: { ...number({ zh: '遗嘱迟到', en: 'Late will' }, 600_000, 2_000, MS), once: true },
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
  tagRefuses: { ...number({ zh: '价签不刷新', en: 'Tags do not take pictures' }, 1, 1, SHARE), of: ['gateway'] },
  lockStuck: { ...yes('门锁卡住', 'Stuck lock'), of: ['gateway'] },
  flood: number({ zh: '消息泛滥', en: 'Floods' }, 10_000, 100, { zh: '条/秒', en: 'a second' }),
  malformed: yes('乱码消息', 'Malformed messages'),
  huge: number({ zh: '超大消息', en: 'Huge messages' }, 10_000_000, 100_000, { zh: '字节', en: 'bytes' }),
}
export const FAULTS = Object.keys(RULES) as (keyof Faults)[]

type Name = keyof Faults | keyof PlatformFaults
type Value = Faults[keyof Faults] | PlatformFaults[keyof PlatformFaults]
const EVERYTHING: Record<Name, FaultRule<Breakable>> = { ...RULES, ...PLATFORM_RULES }

/** Returns all faults of devices and platforms with their labels and the kinds that can have them. */
export const faultTable = () =>
  (Object.keys(EVERYTHING) as Name[]).map((name) => ({ name, of: DEVICES, ...EVERYTHING[name] }))
export type FaultShown = ReturnType<typeof faultTable>[number]

/** Returns the value to set for a fault: null clears it, undefined means that name or value are not valid. */
export function faultValue(name: string, value: unknown): Value | null | undefined {
  const rule = Object.hasOwn(EVERYTHING, name) ? EVERYTHING[name as Name] : undefined
  if (!rule) return undefined
  if (value === null || value === false) return null
  if (rule.form === 'yes') return value === true ? true : undefined
  if (rule.form === 'word') return rule.words.some(({ key }) => key === value) ? (value as Value) : undefined
  if (value === true) return rule.usual
  const least = name === 'clockError' ? -rule.max : 0
  return typeof value === 'number' && value >= least && value <= rule.max ? value : undefined
}

type Aim = { share?: number; clientIds?: string[] }
export type FaultOrder = Aim & { faults: Partial<Record<Name, Value | null>> }
export type DeviceOrder = Aim & { faults: Partial<Record<keyof Faults, Faults[keyof Faults] | null>> }

/** Returns the part of an order that is for devices; undefined when there is none. */
export function deviceOrder({ faults, ...aim }: FaultOrder): DeviceOrder | undefined {
  const own = Object.entries(faults).filter(([name]) => Object.hasOwn(RULES, name))
  return own.length ? { ...aim, faults: Object.fromEntries(own) } : undefined
}

/** Parses `drop=0.1@20%` or `offline@GW0001`: fault, value and target. Undefined for anything else. */
export function faultOrderOf(text: string): FaultOrder | undefined {
  const match = /^(\w+)(?:=(-?[\w.]+))?(?:@(?:(\d+(?:\.\d+)?)%|([\w/-]{3,64})))?$/.exec(text)
  if (!match) return undefined
  const [, name, given, percent, clientId] = match
  const value = faultValue(name!, given === undefined ? true : Number.isNaN(Number(given)) ? given : Number(given))
  if (value === undefined) return undefined
  return {
    faults: { [name!]: value },
    ...(percent === undefined ? {} : { share: Number(percent) / 100 }),
    ...(clientId === undefined ? {} : { clientIds: [clientId] }),
  }
}
