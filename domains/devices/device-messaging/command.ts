import type { LocalizedText, RowOf } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import type { deviceCommand } from './device-command.resource.ts'
import type { deviceLink } from './device-link.resource.ts'

export type DeviceCommand = RowOf<typeof deviceCommand>
export type DeviceLink = RowOf<typeof deviceLink>

/**
 * asked → sent → taken (acknowledged) → done, refused, failed, expired, canceled or unknown. All but the first three
 * are final, except that a late report may still resolve `unknown`.
 */
export type CommandState =
  | 'asked'
  | 'sent'
  | 'taken'
  | 'done'
  | 'refused'
  | 'failed'
  | 'expired'
  | 'canceled'
  | 'unknown'

/** Result codes of devices (docs/gateways.md). */
export const DEVICE_REPLY_CODE = {
  done: 0,
  badParams: 1,
  unsupported: 2,
  busy: 3,
  expired: 4,
  hardware: 5,
  notAllowed: 6,
  download: 7,
  checksum: 8,
  notFound: 9,
  precondition: 10,
  /** The device never received the command it was asked about. Code 9 is about an object named in a command. */
  neverHeard: 11,
  other: 99,
} as const

export const OPEN_COMMAND_STATES: readonly CommandState[] = ['asked', 'sent', 'taken']
/** From which states a command may move to each state. Anything else is ignored, so final states stay. */
export const COMMAND_STATES_BEFORE: Record<Exclude<CommandState, 'asked'>, readonly CommandState[]> = {
  sent: ['asked'],
  taken: ['asked', 'sent', 'unknown'],
  done: ['asked', 'sent', 'taken', 'unknown'],
  refused: ['asked', 'sent', 'unknown'],
  failed: ['asked', 'sent', 'taken', 'unknown'],
  expired: ['asked', 'sent', 'unknown'],
  canceled: ['asked'],
  unknown: ['sent', 'taken'],
}

/**
 * What a hello says about a command whose end a hello reports, by a new start or a version. `seen` confirms the effect
 * but does not end the command; the device's "done" then does. `already` means that the effect was there before, and
 * the command is refused.
 */
type CommandVerdict = { state: 'done' | 'failed'; code?: number; message?: string } | 'seen' | 'already' | undefined

/** Message of a command that was refused because its effect was there already. */
export const ALREADY_APPLIED_MESSAGE = 'was_so_already'

export type CommandDefinition<P extends object = any> = {
  /** Method name on the wire, such as `door.control` (docs/gateways.md). */
  method: string
  label: LocalizedText
  /** Kind of device that has what the command is about. Others are refused; any when omitted. */
  kind?: 'gateway' | 'power' | 'register'
  /** One line for people that says what exactly is requested, `{ zh: '打开 1 号门', … }`. The label when omitted. */
  summary?: (params: P) => LocalizedText
  /** The parameters people may read afterwards, without secrets such as download addresses. All when omitted. */
  auditParams?: (params: P) => object
  /** Milliseconds within which the device has to acknowledge. */
  ackTimeoutMs: number
  /** Milliseconds from the acknowledgement within which the result has to arrive. */
  completionTimeoutMs: number
  /** Milliseconds after which a device must not begin with it. The sum of the two above when omitted. */
  lifeMs?: number
  /**
   * What happens while the device is offline: `refuse` refuses at once, `wait` keeps the command until the device's
   * next hello, as long as it is valid.
   */
  offline: 'refuse' | 'wait'
  /** Mutual exclusion on one device, such as one door: a second command in the same lane is refused as busy. */
  lane?: (params: P) => string
  /** Subject of the command. A newer command with the same subject cancels one that still waits. */
  replaces?: (params: P) => string
  /** Limit per minute, device and user. */
  perMinute?: number
  /**
   * Decides from a hello (a new start, a version) whether the command has ended. The device's own "done" ends it only
   * once a hello has confirmed the effect (`seen`).
   */
  completedByHello?: (command: DeviceCommand, hello: DeviceHello, was: DeviceLink) => CommandVerdict
  /** Returns whether a reported state shows the effect of the command. */
  isSeen?: (params: P, state: Record<string, unknown>, command: DeviceCommand) => boolean
  /** Parameters determined at each sending and not stored, such as the time or a short-lived address. */
  resolveAtSend?: (command: DeviceCommand, services: Services, tenantId: string) => object
  /**
   * The server ends the command (`completeCommandOnServer`) in the transaction that stores the result. If the device
   * reports "done" without one, the command has failed.
   */
  confirmedByServer?: true
  /** Runs in the transaction in which the command ends (also when `unknown` is cleared up later). */
  ended?: (db: Db, command: DeviceCommand, services: Services) => Promise<void>
}

/** What a device sends after it has connected. */
export type DeviceHello = {
  connId: string
  bootId: string
  fw: string
  app?: string
  hw?: string
  ip?: string
  ts: number
  caps?: string[]
}

const commands = new Map<string, CommandDefinition>()

/** Declares a command. Throws when the method is declared twice. */
export function defineCommand<P extends object>(command: CommandDefinition<P>): CommandDefinition<P> {
  if (commands.has(command.method)) throw new Error(`the command ${command.method} is declared twice`)
  commands.set(command.method, command as CommandDefinition)
  return command
}

export const findCommandDefinition = (method: string): CommandDefinition | undefined => commands.get(method)

/** Returns the methods whose end a hello reports instead of the device's "done". */
export const methodsCompletedByHello = (): string[] =>
  [...commands.values()].filter(({ completedByHello }) => completedByHello).map(({ method }) => method)

/** Returns the methods that are done only when the server has received their result. */
export const methodsConfirmedByServer = (): string[] =>
  [...commands.values()].filter(({ confirmedByServer }) => confirmedByServer).map(({ method }) => method)

export const commandLifetimeMs = ({ lifeMs, ackTimeoutMs, completionTimeoutMs }: CommandDefinition): number =>
  lifeMs ?? ackTimeoutMs + completionTimeoutMs
