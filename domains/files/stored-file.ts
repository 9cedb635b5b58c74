import { createHash } from 'node:crypto'
import type { Db } from '#kit/server/database/db.ts'
import { actorOf } from '#kit/server/request/pipeline.ts'
import { Refused } from '#kit/server/refused.ts'
import type { Call } from '#kit/server/room.ts'
import { defineTable } from '#kit/server/database/schema.ts'
import type { Services } from '#kit/server/services.ts'
import { sniffUpload, uploadKey } from '#kit/server/storage/index.ts'
import sql from 'sql-template-tag'
import { attach } from './attach.resource.ts'
import './refusals.ts'
import { atStore, placeForNew } from './stores.ts'

/** Every file that was put, by its key: whose it is, where it lies, and what it was found to be. */
export const storedFiles = defineTable({
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
  createTime: string
}

export const maxBytes = 52_428_800
export const filePath = '/api/blade-resource/oss/endpoint/file/'
export const removeQueue = 'file.remove'

/** The address a file is loaded from without headers: the key cannot be guessed. */
export const linkOf = (key: string) => `${filePath}${key}`
export const keyOfLink = (link: string | null | undefined): string | undefined =>
  link?.startsWith(filePath) ? link.slice(filePath.length) : undefined

type Put = {
  link: string
  domain: string
  domainUrl: string
  name: string
  originalName: string
  attachId?: string
}

/**
 * Stores an upload: what it is by its bytes, a key of ours, the tenant's store. The row comes after the object, so that
 * no link ever points to nothing. With `isAttachment` it also shows among the attachments.
 */
export async function putFile(
  call: Call,
  options: { code?: string | null; fileName?: string | null; isAttachment?: boolean } = {},
): Promise<Put> {
  const { caller, services, file } = call
  if (!file) throw new Refused('no_file')
  const found = await sniffUpload(file.bytes, { name: options.fileName || file.name, maxBytes })
  const bound = { tenantId: caller.tenantId }
  const place = await services.unit(bound, (db) => placeForNew(db, services, options.code))
  const key = uploadKey(caller.tenantId, found.extension, services.now())
  await atStore(place, (store) => store.put(key, file.bytes, { contentType: found.contentType }))
  const link = linkOf(key)
  const domain = services.config.publicUrl
  const attachId = await services.unit(
    bound,
    async (db) => {
      await db.run(sql`
      insert into stored_file (key, tenant_id, oss_id, original_name, extension, content_type, size, hash, inline,
      create_user)
      values (${key}, ${db.tenantId}, ${place.ossId}, ${found.name}, ${found.extension}, ${found.contentType},
      ${file.bytes.length}, ${createHash('sha256').update(file.bytes).digest('hex')}, ${found.inline}, ${db.userId})`)
      if (!options.isAttachment) return undefined
      return (
        await db.insert(attach, {
          link,
          domain,
          name: key,
          originalName: found.name,
          extension: found.extension,
          attachSize: file.bytes.length,
        })
      ).id
    },
    actorOf(caller),
  )
  return { link, domain, domainUrl: domain, name: key, originalName: found.name, ...(attachId ? { attachId } : {}) }
}

const COLUMNS =
  'key, tenant_id as "tenantId", oss_id::text as "ossId", original_name as "originalName", extension, content_type ' +
  'as "contentType", size::float8 as size, hash, inline, create_time as "createTime"'

/** The file of a key, whoever's: the key itself is the permission. */
export async function fileByKey(services: Services, key: string): Promise<StoredFile | undefined> {
  if (key.length > 400 || key.includes('\u0000')) return undefined
  const { rows } = await services.systemPool.query<StoredFile>(`select ${COLUMNS} from stored_file where key = $1`, [
    key,
  ])
  return rows[0]
}

/** Forgets files of the bound tenant; their bytes go after commit, in a job. Keys of others are not there. */
export async function forgetFiles(db: Db, keys: readonly string[]): Promise<number> {
  const gone = await db.query<{ key: string; ossId: string | null }>(
    sql`delete from stored_file where key = any(${keys}) and tenant_id = ${db.tenantId}
      returning key, oss_id::text`,
  )
  for (const { key, ossId } of gone) await db.later(removeQueue, { key, ossId }, { key })
  return gone.length
}
