import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Actor, Db } from '#kit/server/database/db.ts'
import { actorOfCaller } from '#kit/server/request/pipeline.ts'
import { Refused } from '#kit/server/refused.ts'
import type { Call } from '#kit/server/module.ts'
import { defineTable } from '#kit/server/database/schema.ts'
import type { Services } from '#kit/server/services.ts'
import { detectUploadType, uploadKey } from '#kit/server/storage/index.ts'
import sql from 'sql-template-tag'
import { attach } from './attach.resource.ts'
import './refusals.ts'
import { runAtFileStore, chooseStoreForNewFile, findStoreOfFile } from './stores.ts'
import { requireDailyUploadQuota } from './upload-quota.ts'

/** Every file that was put, by its key: whose it is, where it lies, and what it was found to be. */
export const storedFileTable = defineTable({
  name: 'stored_file',
  tenancy: 'tenant',
  primaryKey: ['tenant_id', 'key'],
  columns: {
    key: 'text not null',
    tenant_id: 'text not null',
    oss_id: 'bigint',
    original_name: 'text not null',
    extension: 'text not null',
    content_type: 'text not null',
    size: 'bigint not null',
    hash: 'text not null',
    inline: 'boolean not null',
    /** Not served to who has its address alone; absent is no. */
    is_private: 'boolean',
    create_user: 'bigint',
    create_time: 'timestamptz(3) not null default now()',
  },
  // Whoever has the address of a file is served it, before anybody knows whose it is.
  indexes: { stored_file_by_oss: '(tenant_id, oss_id)', stored_file_uq_key: '(key)' },
})

export type StoredFile = {
  key: string
  tenantId: string
  ossId: string | null
  originalName: string
  extension: string
  contentType: string
  size: number
  hash: string
  inline: boolean
  isPrivate: boolean
  createTime: string
}

export const UPLOAD_BYTES_MAX = 52_428_800
export const FILE_URL_PATH = '/api/blade-resource/oss/endpoint/file/'
export const FILE_REMOVAL_QUEUE = 'file.remove'

/** The address a file is loaded from without headers: the key cannot be guessed. */
export const fileLinkOf = (key: string) => `${FILE_URL_PATH}${key}`
export const fileKeyOfLink = (link: string | null | undefined): string | undefined =>
  link?.startsWith(FILE_URL_PATH) ? link.slice(FILE_URL_PATH.length) : undefined

type Put = {
  link: string
  domain: string
  domainUrl: string
  name: string
  originalName: string
  attachId?: string
}

type Kept = {
  tenantId: string
  bytes: Buffer
  name: string
  /** The account it goes to; the one in use unless said. */
  code?: string | null
  isAttachment?: boolean
  /** What it may be, and how big; anything usual unless said. */
  allowed?: readonly string[]
  maxBytes?: number
  /** Only modules hand it out, to whom they know. */
  isPrivate?: boolean
  /** What a person put up by hand, which counts for the day; anything else has bounds of its own. */
  byHand?: boolean
  /** What is written with its row, or not at all. */
  also?: (db: Db, key: string) => Promise<void>
}

/**
 * Stores bytes: what they are by their own word, a key of ours, the tenant's store. The row comes after the object, so
 * that no link ever points to nothing. With `isAttachment` it also shows among the attachments.
 */
export async function storeFile(services: Services, kept: Kept, actor?: Actor): Promise<Put> {
  const { tenantId, bytes, allowed } = kept
  const found = await detectUploadType(bytes, { name: kept.name, allowed, maxBytes: kept.maxBytes ?? UPLOAD_BYTES_MAX })
  const roomFor = async (db: Db) => {
    if (kept.byHand && actor) await requireDailyUploadQuota(db, services.now(), actor.userId, bytes.length)
  }
  // Asked before a byte lies on the disk, and again where nobody else's can come between.
  const place = await services.unit({ tenantId }, async (db) => {
    await roomFor(db)
    return chooseStoreForNewFile(db, services, kept.code)
  })
  const key = uploadKey(tenantId, found.extension, services.now())
  await runAtFileStore(place, (store) => store.put(key, bytes, { contentType: found.contentType }))
  const link = fileLinkOf(key)
  const domain = services.config.publicUrl
  const write = async (db: Db) => {
    if (kept.byHand) await db.advisoryLock('uploads')
    await roomFor(db)
    await db.run(sql`
      insert into stored_file (key, tenant_id, oss_id, original_name, extension, content_type, size, hash, inline,
      is_private, create_user)
      values (${key}, ${db.tenantId}, ${place.ossId}, ${found.name}, ${found.extension}, ${found.contentType},
      ${bytes.length}, ${createHash('sha256').update(bytes).digest('hex')}, ${found.inline},
      ${kept.isPrivate ?? null}, ${db.userId})`)
    await kept.also?.(db, key)
    if (!kept.isAttachment) return undefined
    const draft = { link, domain, name: key, originalName: found.name, extension: found.extension }
    return (await db.insert(attach, { ...draft, attachSize: bytes.length })).id
  }
  const attachId = await services.unit({ tenantId }, write, actor).catch(async (error: unknown) => {
    // Nobody will ever look for bytes that no row tells of; whether a lost answer was a yes is not known.
    if (error instanceof Refused) await runAtFileStore(place, (store) => store.remove(key)).catch(() => {})
    throw error
  })
  return { link, domain, domainUrl: domain, name: key, originalName: found.name, ...(attachId ? { attachId } : {}) }
}

/** Stores what was uploaded with a call. */
export async function storeUploadedFile(
  { caller, services, file }: Call,
  options: { code?: string | null; fileName?: string | null; isAttachment?: boolean } = {},
): Promise<Put> {
  if (!file) throw new Refused('no_file')
  const { code, isAttachment } = options
  const name = options.fileName || file.name
  const kept = { tenantId: caller.tenantId, bytes: file.bytes, name, code, isAttachment, byHand: true }
  return storeFile(services, kept, actorOfCaller(caller))
}

/** All bytes of a stored file; undefined when its store has them no more. */
export async function readStoredFile(
  services: Services,
  { tenantId, ossId, key }: StoredFile,
): Promise<Buffer | undefined> {
  const place = await findStoreOfFile(services, tenantId, ossId)
  const found = place && (await runAtFileStore(place, (store) => store.get(key)))
  return found && buffer(found.stream)
}

const COLUMNS =
  'key, tenant_id as "tenantId", oss_id::text as "ossId", original_name as "originalName", extension, content_type ' +
  'as "contentType", size::float8 as size, hash, inline, coalesce(is_private, false) as "isPrivate", ' +
  'create_time as "createTime"'

/**
 * The file of a key, whoever's: for keys the server kept or sealed itself. What somebody wrote is read by
 * `findTenantFileByLink`.
 */
export async function findFileByKey(services: Services, key: string): Promise<StoredFile | undefined> {
  if (key.length > 400 || key.includes('\u0000')) return undefined
  const { rows } = await services.systemPool.query<StoredFile>(`select ${COLUMNS} from stored_file where key = $1`, [
    key,
  ])
  return rows[0]
}

/**
 * The tenant's own file that an address names which somebody wrote: none for a file of another tenant, for one that
 * only modules hand out, and for an address elsewhere.
 */
export async function findTenantFileByLink(
  services: Services,
  tenantId: string,
  link: string | null | undefined,
): Promise<StoredFile | undefined> {
  const key = fileKeyOfLink(link)
  const file = key === undefined ? undefined : await findFileByKey(services, key)
  return file?.tenantId === tenantId && !file.isPrivate ? file : undefined
}

/** Forgets files of the bound tenant; their bytes go after commit, in a job. Keys of others are not there. */
export async function deleteStoredFiles(db: Db, keys: readonly string[]): Promise<number> {
  const gone = await db.query<{ key: string; ossId: string | null }>(
    sql`delete from stored_file where key = any(${keys}) and tenant_id = ${db.tenantId}
      returning key, oss_id::text`,
  )
  for (const { key, ossId } of gone) await db.enqueue(FILE_REMOVAL_QUEUE, { key, ossId }, { key })
  return gone.length
}
