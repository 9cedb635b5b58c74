import { f, type RowOf } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import { defineTable } from '#kit/server/database/schema.ts'
import { requireIdList } from '#kit/server/resource/remove-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import sql from 'sql-template-tag'
import { notice } from './notice.resource.ts'
import { formatShanghaiTime, parseShanghaiTime } from '#kit/server/base/time.ts'
import { noticePublishedTopic, noticeRemovedTopic } from './topics.ts'

export const noticeReadTable = defineTable({
  name: 'notice_read',
  tenancy: 'tenant',
  primaryKey: ['tenant_id', 'user_id', 'notice_id'],
  columns: {
    tenant_id: 'text not null',
    user_id: 'bigint not null',
    notice_id: 'bigint not null',
    read_time: 'timestamptz(3) not null default now()',
  },
})

export const noticeReleaseQueue = defineQueue<{ id: string }>('notice.release')

/**
 * Publishes the notice to every browser of the tenant. The event holds no text: whoever opens the notice fetches it.
 */
export const announceNoticeToBrowsers = (
  db: Db,
  row: Pick<RowOf<typeof notice>, 'id' | 'title' | 'category' | 'releaseTime'>,
): void =>
  db.publish(noticePublishedTopic, {
    id: row.id,
    title: row.title,
    category: row.category,
    releaseTime: row.releaseTime,
  })

/** Inserts a notice by the system, released at once for everybody of the transaction's tenant, and announces it. */
export async function publishNotice(db: Db, { title, content }: { title: string; content: string }): Promise<void> {
  const now = formatShanghaiTime(new Date())
  announceNoticeToBrowsers(
    db,
    await db.insert(notice, { title, content, category: 6, releaseTime: now, announcedTime: now }),
  )
}

export const noticeServer = serve(notice, {
  beforeSave: (draft, was, { services }) => {
    const now = services.now()
    if (!draft.releaseTime && (!was || draft.releaseTime === null)) draft.releaseTime = formatShanghaiTime(now)
    const releaseTime = draft.releaseTime ?? was!.releaseTime!
    const isMoved = draft.releaseTime !== undefined && draft.releaseTime !== was?.releaseTime
    if (parseShanghaiTime(releaseTime) > now) draft.announcedTime = null
    else if (!was?.announcedTime || isMoved) draft.announcedTime = formatShanghaiTime(now)
  },
  afterSave: async (row, was, { db }) => {
    if (!row.announcedTime)
      await db.enqueue(
        noticeReleaseQueue,
        { id: row.id },
        { key: `${row.id}/${row.releaseTime!}`, runAt: parseShanghaiTime(row.releaseTime!) },
      )
    else if (row.announcedTime !== was?.announcedTime) announceNoticeToBrowsers(db, row)
  },
  afterRemove: (rows, { db }) => db.publish(noticeRemovedTopic, { ids: rows.map((row) => row.id) }),
})

const label = notice.label
const own = { signedIn: 'notices are for every user of the tenant' } as const

/**
 * SQL from and where: released notices of the caller's tenant (alias `n`), joined with the caller's read mark (`x`).
 */
const published = ({ db, caller, services }: Call) => sql`
  from notice n left join notice_read x on x.tenant_id = n.tenant_id and x.user_id = ${caller.userId}
  and x.notice_id = n.id
  where n.tenant_id = ${db.tenantId} and n.is_deleted = 0
  and n.release_time <= ${services.now().toISOString()}::timestamptz`

type NoticeSummary = { id: string; title: string; category: number | null; releaseTime: string; isRead: boolean }

const unreadOnly = sql` and x.read_time is null`

async function mine(call: Call<{ size: number | null; current: number | null; isUnread: boolean | null }>) {
  const among = call.input.isUnread === true ? unreadOnly : sql``
  const size = call.input.size ?? 20
  const offset = ((call.input.current ?? 1) - 1) * size
  await call.services.labels.ready(call.db.tenantId)
  const [rows, counts] = await Promise.all([
    call.db.query<NoticeSummary>(
      sql`select n.id::text, n.title, n.category, n.release_time, x.read_time is not null as is_read
        ${published(call)}${among}
        order by n.release_time desc, n.id desc limit ${size} offset ${offset}`,
    ),
    call.db.one<{ total: number; unread: number }>(
      sql`select count(*)::int as total, (count(*)
        filter (where x.read_time is null))::int as unread ${published(call)}${among}`,
    ),
  ])
  const records = rows.map((row) => ({
    ...row,
    category: row.category ?? -1,
    categoryName: call.services.labels.dict(call.db.tenantId, notice.fields.category, row.category, call.lang),
  }))
  return { records, ...counts, size, current: call.input.current ?? 1 }
}

const markRead = (call: Call, ids: readonly string[] | undefined) =>
  call.db.run(sql`
  insert into notice_read (tenant_id, user_id, notice_id)
  select n.tenant_id, ${call.caller.userId}, n.id ${published(call)} and x.read_time is null${
    ids
      ? sql`
    and n.id = any(${ids}::bigint[])`
      : sql``
  } on conflict do nothing`)

const number = (zh: string, en: string, max: number) => f.number({ label: { zh, en }, min: 1, max })

export const noticeRoutes = [
  defineRoute({
    method: 'GET',
    path: `${notice.path}/mine`,
    title: { zh: '我的通知', en: 'My announcements' },
    can: own,
    input: {
      current: number('页码', 'Page', 100_000),
      size: number('条数', 'Page size', 200),
      isUnread: f.boolean({ label: { zh: '只看未读', en: 'Unread only' } }),
    },
    handle: mine,
  }),
  defineRoute({
    method: 'GET',
    path: `${notice.path}/mine/detail`,
    title: { zh: '查看通知', en: 'View announcement' },
    can: own,
    input: { id: f.ref('', { label: { zh: '编号', en: 'ID' }, required: true }) },
    handle: async (call) => {
      const row = await call.db.one<Omit<NoticeSummary, 'isRead'> & { content: string }>(
        sql`select n.id::text, n.title, n.category, n.release_time, coalesce(n.content,
          '') as content ${published(call)} and n.id = ${call.input.id}`,
      )
      if (!row) throw new Refused('not_found', { label })
      await markRead(call, [row.id])
      await call.services.labels.ready(call.db.tenantId)
      return {
        ...row,
        category: row.category ?? -1,
        categoryName: call.services.labels.dict(call.db.tenantId, notice.fields.category, row.category, call.lang),
        isRead: true,
      }
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${notice.path}/mine/read`,
    title: { zh: '标记通知已读', en: 'Mark announcements as read' },
    can: own,
    log: false,
    // Without ids: marks all as read.
    handle: async (call) => {
      const given = call.query.ids ?? (call.body as { ids?: unknown } | undefined)?.ids
      return { count: await markRead(call, given ? requireIdList(notice, given) : undefined) }
    },
  }),
]
