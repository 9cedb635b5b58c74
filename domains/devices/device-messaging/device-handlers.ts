import type { LocalizedText } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import type { DeviceLink } from './command.ts'

export type DeviceMessageContext<D = Record<string, any>> = {
  db: Db
  services: Services
  link: DeviceLink
  data: D
  /** When it happened, by the server's clock: the device's time, corrected by its clock offset. */
  at: Date
}

/**
 * Thrown for a message that is invalid or of an unknown device. It is acknowledged and stored for people to look at,
 * and not retried automatically.
 */
export class InvalidDeviceMessageError extends Error {
  override name = 'InvalidDeviceMessageError'
}

export type DeviceReply = { code: number; msg?: string; data?: object }

type Hearers = {
  events: Map<string, ((context: DeviceMessageContext) => Promise<void>)[]>
  states: ((context: DeviceMessageContext) => Promise<void>)[]
  links: ((context: DeviceMessageContext<{ was: string; now: string }>) => Promise<void>)[]
  questions: Map<string, (context: DeviceMessageContext) => Promise<DeviceReply>>
  desired: ((
    context: Omit<DeviceMessageContext, 'data' | 'at'>,
  ) => Promise<{ ver: number; conf: object } | undefined>)[]
}

const hearers: Hearers = { events: new Map(), states: [], links: [], questions: new Map(), desired: [] }

/**
 * Registers a handler for a type of event. It runs once for each event, in the transaction that stores it. When it
 * throws, the event is not acknowledged and the device sends it again.
 */
export const onDeviceEvent = (type: string, handle: (context: DeviceMessageContext) => Promise<void>): void => {
  hearers.events.set(type, [...(hearers.events.get(type) ?? []), handle])
}

/** Registers a handler for the state a device reports (docs/gateways.md, State). */
export const onDeviceState = (handle: (context: DeviceMessageContext) => Promise<void>): void =>
  void hearers.states.push(handle)

/** Registers a handler for a device going online, offline or unknown. */
export const onDeviceLinkState = (
  handle: (context: DeviceMessageContext<{ was: string; now: string }>) => Promise<void>,
): void => void hearers.links.push(handle)

/** Registers the handler that answers a type of device request. Throws when there is one already. */
export function onDeviceRequest(type: string, answer: (context: DeviceMessageContext) => Promise<DeviceReply>): void {
  if (hearers.questions.has(type)) throw new Error(`the question ${type} is answered twice`)
  hearers.questions.set(type, answer)
}

/** Registers a provider of the settings a device should have, with the version it has to confirm. */
export const registerDesiredStateProvider = (give: Hearers['desired'][number]): void => void hearers.desired.push(give)

export const deviceHandlers = hearers

/** Sentences for the result codes of docs/gateways.md, used when the device sends none. */
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
