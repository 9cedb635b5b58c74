import type { LocalizedText } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/services.ts'
import type { RowOf } from '#kit/resource/index.ts'
import type { deviceCommand } from './device-command.resource.ts'
import type { deviceLink } from './device-link.resource.ts'

export type DeviceCommand = RowOf<typeof deviceCommand>
export type DeviceLink = RowOf<typeof deviceLink>

/** asked → sent → taken → done, refused, failed, expired, canceled, unknown. Only `unknown` may still be cleared up. */
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

/** What a device answers with (docs/gateways.md). */
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
  /** Asked what became of a command it never had; 9 is of what a command is about. */
  neverHeard: 11,
  other: 99,
} as const

export const OPEN_COMMAND_STATES: readonly CommandState[] = ['asked', 'sent', 'taken']
/** From which states a command may come to one; what is final stays, whatever is heard later. */
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
 * What ends a command at a word of the device that is no answer to it: a new start, a version, a sensor. `seen` is not
 * enough alone, and proves the device's own "done" when that comes. `already`: it was so before, and the command that
 * was to bring it about is not carried out.
 */
type CommandVerdict = { state: 'done' | 'failed'; code?: number; message?: string } | 'seen' | 'already' | undefined

/** The message of such a command. */
export const ALREADY_APPLIED_MESSAGE = 'was_so_already'

export type CommandDefinition<P extends object = any> = {
  /** As on the wire, `door.control` (docs/gateways.md). */
  method: string
  label: LocalizedText
  /** Which kind of device has what it is about; any unless said. Another's word that it did it would be no proof. */
  kind?: 'gateway' | 'power' | 'register'
  /** One line for people: what exactly is asked, `{ zh: '打开 1 号门', … }`; the label unless said. */
  summary?: (params: P) => LocalizedText
  /** What of its parameters may be read afterwards; all unless said. What opens something stays with the device. */
  auditParams?: (params: P) => object
  /** Milliseconds to its acknowledgement, and from there to its result. */
  ackTimeoutMs: number
  completionTimeoutMs: number
  /** Milliseconds after which a device must not begin with it any more; the two above unless said. */
  lifeMs?: number
  /**
   * A device that is not there: `refuse` says so at once, `wait` keeps it for the device's next hello while it lives.
   */
  offline: 'refuse' | 'wait'
  /** What may not be asked twice at once, such as one door; a second one is refused as busy. */
  lane?: (params: P) => string
  /** What it is about, where a newer command about the same takes the place of one that still waits. */
  replaces?: (params: P) => string
  /** So many a minute and person. */
  perMinute?: number
  /** The end is told by a hello: a new boot, a version. Until then the device's own "done" ends nothing. */
  completedByHello?: (command: DeviceCommand, hello: DeviceHello, was: DeviceLink) => CommandVerdict
  /** A sensor's word on it: whether a reported state shows what was commanded. */
  isSeen?: (params: P, state: Record<string, unknown>, command: DeviceCommand) => boolean
  /** What is true only as it leaves, such as the time or an address worth seconds; the command does not keep it. */
  resolveAtSend?: (command: DeviceCommand, services: Services, tenantId: string) => object
  /**
   * "Done" is the server's to say (`completeCommandOnServer`), in the transaction that keeps what came; without, it
   * failed.
   */
  confirmedByServer?: true
  /** Runs in the transaction in which the command ends (also when `unknown` is cleared up later). */
  ended?: (db: Db, command: DeviceCommand, services: Services) => Promise<void>
}

/** What a device says when it has connected. */
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

/** Declares a command: a few lines, and everything that leaves for a device goes one way. */
export function defineCommand<P extends object>(command: CommandDefinition<P>): CommandDefinition<P> {
  if (commands.has(command.method)) throw new Error(`the command ${command.method} is declared twice`)
  commands.set(command.method, command as CommandDefinition)
  return command
}

export const findCommandDefinition = (method: string): CommandDefinition | undefined => commands.get(method)

/** Methods whose end a hello tells, and not the device's "done". */
export const methodsCompletedByHello = (): string[] =>
  [...commands.values()].filter(({ completedByHello }) => completedByHello).map(({ method }) => method)

/** Methods of which the server itself has to have what they brought. */
export const methodsConfirmedByServer = (): string[] =>
  [...commands.values()].filter(({ confirmedByServer }) => confirmedByServer).map(({ method }) => method)

export const commandLifetimeMs = ({ lifeMs, ackTimeoutMs, completionTimeoutMs }: CommandDefinition): number =>
  lifeMs ?? ackTimeoutMs + completionTimeoutMs
