import type { Logger } from 'pino'
import type { Field } from '../../fields/base/field-kind.ts'
import type { CustomFieldsByResource } from '../../resource/custom-fields.ts'
import type { Lang } from '../../base/localized-text.ts'
import type { Caller } from '../base/caller.ts'
import type { Actor, Db, Pool, UnitOfWorkRequest } from '../database/db.ts'
import type { LiveStreams } from '../live/live.ts'
import type { ProcessMetrics } from '../meters/index.ts'
import type { SharedStore } from '../shared/index.ts'
import type { Slots } from '../base/slots.ts'
import type { BrokerLink } from '../broker/index.ts'
import type { FileStore } from '../storage/index.ts'

/** Labels of dictionaries and regions, cached in memory and refreshed on changes. Provided by the system module. */
export type LabelLookup = {
  /** Loads the labels; await it once per request before the other functions. Cheap when nothing changed. */
  ready: (tenantId: string) => Promise<void>
  dict: (tenantId: string, field: Field, key: unknown, lang: Lang) => string
  hasKey: (tenantId: string, field: Field, key: string) => boolean
  entries: (tenantId: string, code: string, lang: Lang) => { key: string; label: string; colour?: string }[]
  /** Full path of a region, "浙江省/杭州市/西湖区"; "" when unknown. */
  region: (code: string) => string
  /** Code of the region with this full path; undefined when there is none. */
  regionAt: (path: string) => string | undefined
}

/** Cache of the custom fields of tenants. Provided by the module that stores them. */
export type CustomFieldCache = {
  /** Loads a tenant's fields; await it before `of`. Returns undefined if they are loaded already. */
  ready: (tenantId: string) => Promise<void> | undefined
  /** Custom fields of a tenant by resource. */
  of: (tenantId: string) => CustomFieldsByResource
  /** Clears the cache after a change, so that the next reader loads the new fields. */
  forget: () => void
}

/** Identifies a session without its token; `tenantId` is the tenant it signed in to. */
export type SessionOf = Pick<Caller, 'tenantId' | 'sessionId' | 'userId'>

/** Resolves tokens and sessions to callers. Provided by the access module. */
export type AccessService = {
  /** Caller of a token; undefined if there is no such session, it expired or was revoked, or the user is gone. */
  callerOf: (token: string) => Promise<Caller | undefined>
  /** Why a token is no longer valid, as a code the browser app understands. */
  endOf?: (token: string) => Promise<string>
  /** Whether a session is still open: for addresses that carry no token and end with it. */
  isOpen: (session: SessionOf) => Promise<boolean>
  /** Ids of those sessions that are still open. */
  openSessions: (sessions: readonly SessionOf[]) => Promise<Set<string>>
  /** Caller of a session with their current rights; undefined if it has ended. */
  callerOfSession: (session: SessionOf) => Promise<Caller | undefined>
  /**
   * The same person with their current rights, for work that outlives the request; undefined when the account is closed
   * or gone.
   */
  again: (caller: Caller) => Promise<Caller | undefined>
  /** API scope rows of all tenants that protect paths; a path without one is protected by its permission alone. */
  guardedPaths: () => Promise<readonly { id: string; path: string }[]>
  /** Identifies the client by `Authorization: Basic`; refuses a wrong one. */
  clientOf: (authorization: string | undefined) => Promise<{ clientId: string } | undefined>
  /** Identifies a device (register) by its own credentials. */
  terminalOf: (headers: Record<string, string | string[] | undefined>) => Promise<Caller | undefined>
}

export type OperationEntry = {
  caller?: Caller
  tenantId: string
  title: string
  method: string
  uri: string
  params: unknown
  ip: string
  userAgent: string
  millis: number
  traceId: string
  status: number
  reason?: string
}

/** Writes the operation and error logs. Provided by the logs module; both mask secrets before writing. */
export type OperationLogs = {
  /**
   * Pass the writing transaction's `db` if there is one, so that the change and its log entry commit or roll back
   * together.
   */
  operation: (entry: OperationEntry, db?: Db) => void
  error: (entry: OperationEntry, error: unknown) => void
}

export type Config = {
  port: number
  host: string
  dataDir: string
  databaseUrl: string
  publicUrl: string
  story: 'demo' | 'empty'
  isTest: boolean
  corsOrigins: readonly string[]
  /**
   * Trusted proxies in front of this process: how many, or their addresses; true: one in the private network, false:
   * none.
   */
  trustProxy: boolean | number | string[]
  /** Folder that old log partitions are archived to before they are dropped; if absent they are dropped only. */
  archiveDir?: string
  /**
   * Private networks and the ports where the code generator may read other databases; if absent no private network, and
   * the usual two ports.
   */
  sourceNetworks?: readonly string[]
  sourcePorts?: readonly number[]
  /**
   * How long a call waits for a database connection before it is refused as busy, in milliseconds; a few seconds if
   * absent.
   */
  acquireTimeoutMs?: number
}

/** Services that exist before modules provide theirs. */
export type BaseServices = Omit<Services, 'labels' | 'access' | 'logs'>

/**
 * All that handlers, jobs and seeds may use. One object, made at start (apps/server) and passed down. Parts that know
 * more than this file add theirs: the registry of modules (module.ts).
 */
// oxlint-disable-next-line typescript/consistent-type-definitions
export interface Services {
  config: Config
  log: Logger
  /** Connections with role store_app, which sees one tenant at a time. */
  pool: Pool
  /**
   * Connections with role store_platform, for infrastructure without a tenant: jobs, shared entries, keys. Business
   * code uses units of work.
   */
  systemPool: Pool
  shared: SharedStore
  files: FileStore
  live: LiveStreams
  /** Cache of the custom fields of tenants. */
  own?: CustomFieldCache
  /** MQTT broker connection. Present from the start on; in tests only if MQTT_URL is set. */
  link?: BrokerLink
  meters: ProcessMetrics
  labels: LabelLookup
  access: AccessService
  logs: OperationLogs
  /** Reports a database error to health monitoring, which notices a full disk by it. */
  noteRefusal?: (error: unknown) => void
  /** Whether the disk is too full for changes; reads go on. */
  isFull?: () => boolean
  /** The current time; tests set it. */
  now: () => Date
  /** Runs `work` in one transaction for a tenant: for jobs, callbacks and seeds. */
  unit: <T>(target: UnitOfWorkRequest, work: (db: Db) => Promise<T>, actor?: Actor) => Promise<T>
  /** Values that modules provide to modules that do not depend on them. */
  slots: Slots
}
