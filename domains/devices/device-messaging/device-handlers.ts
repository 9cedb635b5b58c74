import type { LocalizedText } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/services.ts'
import type { DeviceLink } from './command.ts'

export type DeviceMessageContext<D = Record<string, any>> = {
  db: Db
  services: Services
  link: DeviceLink
  data: D
  /** When it happened, by the office's clock: the device's own, corrected by its measured error. */
  at: Date
}

/** What cannot be understood, or is nobody's: kept aside for people, acknowledged, and never tried again. */
export class InvalidDeviceMessageError extends Error {
  override name = 'InvalidDeviceMessageError'
}

export type DeviceReply = { code: number; msg?: string; data?: object }

type Hearers = {
  events: Map<string, ((heard: DeviceMessageContext) => Promise<void>)[]>
  states: ((heard: DeviceMessageContext) => Promise<void>)[]
  links: ((heard: DeviceMessageContext<{ was: string; now: string }>) => Promise<void>)[]
  questions: Map<string, (heard: DeviceMessageContext) => Promise<DeviceReply>>
  desired: ((heard: Omit<DeviceMessageContext, 'data' | 'at'>) => Promise<{ ver: number; conf: object } | undefined>)[]
}

const hearers: Hearers = { events: new Map(), states: [], links: [], questions: new Map(), desired: [] }

/**
 * What a module does when a device reports something, in the transaction that stores the report, once for each. A throw
 * keeps the report from being acknowledged: the device says it again.
 */
export const onDeviceEvent = (type: string, handle: (heard: DeviceMessageContext) => Promise<void>): void => {
  hearers.events.set(type, [...(hearers.events.get(type) ?? []), handle])
}

/** A device says what it is doing (docs/gateways.md, State). */
export const onDeviceState = (handle: (heard: DeviceMessageContext) => Promise<void>): void =>
  void hearers.states.push(handle)

/** A device comes, goes, or is not known to be there. */
export const onDeviceLinkState = (
  handle: (heard: DeviceMessageContext<{ was: string; now: string }>) => Promise<void>,
): void => void hearers.links.push(handle)

/** A device asks something and waits: one module answers each kind of question. */
export function onDeviceRequest(type: string, answer: (heard: DeviceMessageContext) => Promise<DeviceReply>): void {
  if (hearers.questions.has(type)) throw new Error(`the question ${type} is answered twice`)
  hearers.questions.set(type, answer)
}

/** What a device should be set to, with the version it confirms. */
export const registerDesiredStateProvider = (give: Hearers['desired'][number]): void => void hearers.desired.push(give)

export const deviceHandlers = hearers

/** A sentence for a code of docs/gateways.md, where the device gives none. */
export const deviceReplyCodeTexts: Record<number, LocalizedText> = {
  1: { zh: '参数错误', en: 'invalid parameters' },
  2: { zh: '设备不支持', en: 'not supported' },
  3: { zh: '设备正忙', en: 'busy' },
  4: { zh: '指令已过期', en: 'expired' },
  5: { zh: '硬件故障', en: 'hardware failure' },
  6: { zh: '设备不允许', en: 'not allowed' },
  7: { zh: '下载失败', en: 'download failed' },
  8: { zh: '校验失败', en: 'verification failed' },
  9: { zh: '找不到对象', en: 'not found' },
  10: { zh: '条件不满足', en: 'condition not met' },
  11: { zh: '设备没有收到这条指令', en: 'the device did not receive this command' },
  99: { zh: '其他错误', en: 'other error' },
}
