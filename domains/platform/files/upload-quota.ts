import { readParamsInTransaction } from '#domains/platform/system/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { PERSON_DAILY_UPLOAD_MB_PARAM, TENANT_DAILY_UPLOAD_MB_PARAM } from './params.ts'
import './refusals.ts'

const MB = 1024 * 1024

/**
 * Refuses uploads above the daily limit of a person or of a tenant's people together: all tenants share one disk. Does
 * not count files from devices. Counts the files of today by their keys, which contain the date, so deleting a file
 * frees its share.
 */
export async function requireDailyUploadQuota(db: Db, now: Date, userId: string, bytes: number): Promise<void> {
  const midnight = (days: number) => formatShanghaiTime(new Date(now.getTime() + days * 86_400_000)).slice(0, 10)
  const from = (days: number) => `${db.tenantId}/upload/${midnight(days).replaceAll('-', '')}/`
  const [person, tenant] = await readParamsInTransaction(db, PERSON_DAILY_UPLOAD_MB_PARAM, TENANT_DAILY_UPLOAD_MB_PARAM)
  const put = await db.one<{ own: number; all: number }>(sql`
    select coalesce(sum(size) filter (where create_user = ${userId}), 0)::float8 as own,
    coalesce(sum(size), 0)::float8 as all from stored_file where tenant_id = ${db.tenantId}
    and key >= ${from(0)} and key < ${from(1)} and create_user is not null`)
  const time = `${midnight(1)} 00:00`
  if (put!.own + bytes > person * MB) throw new Refused('upload_day_person', { max: person, time })
  if (put!.all + bytes > tenant * MB) throw new Refused('upload_day_tenant', { max: tenant, time })
}
