import { escapeLike } from '#kit/server/query/filters.ts'
import { pinyin } from 'pinyin-pro'
import { dataScopeSql, canReadField } from '#kit/server/database/data-scope.ts'
import { join, readBatch, sql, type Db } from '#kit/server/database/db.ts'
import { unitOfWorkOptionsForRead, handleListCall, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal, defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { inTenantOf, forEachTenantOfRows } from '#kit/server/resource/remove-of.ts'
import { requireUnchangedSet } from '#kit/server/resource/expected-set.ts'
import { lockVisibleRow } from '#kit/server/resource/submit-of.ts'
import { parseShanghaiTime } from '#kit/server/base/time.ts'
import { f, type RowOf, keywordField } from '#kit/resource/index.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { requireShopStaffChangeAllowed } from '#domains/platform/identity/api.ts'
import { basicShopInfoStaffCall } from './basic-shop-info.calls.ts'
import { basicShopInfo } from './basic-shop-info.resource.ts'
import { requireReassignPermission } from './check-moved.ts'
import { refreshShopLimits } from './refresh-shop-limits.ts'
import { regionsOfDistrict } from './place.ts'
import { findShopConf, insertDefaultShopConf } from './shop-conf.server.ts'
import { replaceShopStaff, findShopStaff } from './staff.ts'

type Shop = RowOf<typeof basicShopInfo>

/** Seconds without a message after which a shop or register counts as offline. */
export const OFFLINE_AFTER_SECONDS = 180

export const isOnline = (lastSeen: string | null | undefined, now: Date): boolean =>
  Boolean(lastSeen) && now.getTime() - parseShanghaiTime(lastSeen!).getTime() < OFFLINE_AFTER_SECONDS * 1000

/** Returns the pinyin initials of a name, so that "xm" finds 小满. */
export const pinyinInitials = (name: string): string =>
  pinyin(name, { pattern: 'first', toneType: 'none', type: 'array', nonZh: 'consecutive' })
    .join('')
    .toLowerCase()
    .replace(/\s/g, '')

/** Text that `select` searches in addition to name and code: initials and full pinyin. */
export function pinyinSearchKey(name: string): string {
  const spelt = pinyin(name, { toneType: 'none', type: 'array', nonZh: 'consecutive' }).join('')
  return `${pinyinInitials(name)} ${spelt.toLowerCase().replace(/\s/g, '')}`.slice(0, 400)
}

async function moveShop({ id }: Shop, move: 'open' | 'pause' | 'close', call: Call): Promise<undefined> {
  await requireTransition(call, basicShopInfo, id, move)
}

export const basicShopInfoServer = serve(basicShopInfo, {
  // Lists the shops that the home page counts as offline.
  where: ({ query, services }) =>
    query.isOffline === 'true'
      ? sql` and r.status = 1 and (r.last_seen_time is null
        or r.last_seen_time < ${new Date(services.now().getTime() - OFFLINE_AFTER_SECONDS * 1000).toISOString()})`
      : sql``,
  beforeSave: async (draft, was, call) => {
    if (draft.shopName) draft.searchKey = pinyinSearchKey(draft.shopName)
    Object.assign(draft, regionsOfDistrict(draft.district))
    if (draft.bossUserId !== undefined) await requireReassignPermission(call, was?.bossUserId, draft.bossUserId)
  },
  afterSave: async (row, was, call) => {
    // A shop restored from the recycle bin has lost its settings.
    if (!was || !(await findShopConf(call.db, row.id))) await insertDefaultShopConf(call.db, row.id)
    if (row.bossUserId !== was?.bossUserId) refreshShopLimits(call, [row.bossUserId, was?.bossUserId])
  },
  afterRemove: (rows, call) =>
    refreshShopLimits(
      call,
      rows.map((row) => row.bossUserId),
    ),
  present: (wire, rows, call) => {
    const now = call.services.now()
    rows.forEach((row, at) => (wire[at]!.online = isOnline(row.lastSeenTime, now)))
  },
  actions: {
    open: (shop, _input, call) => moveShop(shop, 'open', call),
    pause: (shop, _input, call) => moveShop(shop, 'pause', call),
    close: (shop, _input, call) => moveShop(shop, 'close', call),
  },
})

const unpaged = {
  ...basicShopInfoServer,
  resource: { ...basicShopInfo, list: { ...basicShopInfo.list, paged: false } },
}
const SELECT_MAX = 50

/** Returns the shops whose name, code or pinyin matches, for pickers. */
async function selectShops(call: Call<{ key: string | null }>): Promise<Record<string, unknown>[]> {
  const key = call.input.key?.trim()
  const like = `%${escapeLike(key ?? '')}%`
  const sees = (field: keyof typeof basicShopInfo.fields) => canReadField(basicShopInfo, field, call.caller)
  // The search key is derived from the name, so it needs the same permission.
  const looks = [
    ...(sees('shopName') ? [sql`r.shop_name ilike ${like}`, sql`r.search_key like ${like.toLowerCase()}`] : []),
    ...(sees('shopCode') ? [sql`r.shop_code ilike ${like}`] : []),
  ]
  const matches = key ? (looks.length ? sql` and (${join(looks, ' or ')})` : sql` and false`) : sql``
  const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    sql`select r.id, r.shop_name, r.shop_code, r.client_id, r.status,
      r.last_seen_time ${visibleRowsSql(basicShopInfoServer, call)}${matches} order by r.shop_code, r.id limit
      ${SELECT_MAX}`,
  ])
  const now = call.services.now()
  return rows!.map(({ lastSeenTime, clientId, ...row }) => ({
    ...row,
    ...(sees('shopName') ? {} : { shopName: row.id }),
    ...(sees('shopCode') ? {} : { shopCode: '' }),
    clientId: (sees('clientId') && clientId) || '',
    online: isOnline(lastSeenTime as string | null, now),
  }))
}

const STAFF = { zh: '人员', en: 'Staff' }

type StaffAssignment = { userId: string; position: string }

function parseStaff(given: unknown): StaffAssignment[] {
  const named = { fields: { staff: f.json({ label: STAFF }) } }
  if (!Array.isArray(given) || given.length > 200) throw invalidFieldRefusal(named, 'staff', 'not_a_list')
  return given.map((one: { userId?: unknown; position?: unknown } | null) => {
    const userId = String(one?.userId ?? '')
    const position = String(one?.position ?? 'clerk')
    if (!/^\d{1,18}$/.test(userId)) throw invalidFieldRefusal(named, 'staff', 'not_found')
    if (position !== 'boss' && position !== 'clerk') throw invalidFieldRefusal(named, 'staff', 'not_a_choice')
    return { userId, position }
  })
}

export const shopRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/shop/basicShopInfo/query',
    title: { zh: '可见门店', en: 'Stores I can see' },
    can: 'basicShopInfo',
    tx: false,
    handle: (call) => handleListCall(unpaged, call),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/shop/basicShopInfo/select',
    title: { zh: '门店选择', en: 'Store options' },
    can: { signedIn: 'name, code and state of shops in scope, for pickers of all shop pages' },
    tx: false,
    input: { key: keywordField() },
    handle: selectShops,
  }),
  defineRoute(basicShopInfoStaffCall, {
    title: { zh: '门店人员', en: 'Store staff' },
    can: ['basicShopInfo_staff', 'basicShopInfo'],
    handle: (call) => {
      const { id } = call.input
      return inTenantOf(call, basicShopInfo, id, async (db) => {
        const found = await db.one(
          sql`select 1 from basic_shop_info r where r.id = ${id} and r.tenant_id = ${db.tenantId}
            and r.is_deleted = 0${dataScopeSql(basicShopInfo, call.caller)}`,
        )
        if (!found) throw new Refused('not_found', { label: basicShopInfo.label })
        return findShopStaff(db, id)
      })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/shop/basicShopInfo/staff',
    title: { zh: '保存门店人员', en: 'Save store staff' },
    can: 'basicShopInfo_staff',
    input: {
      id: f.ref('basicShopInfo', { label: basicShopInfo.label, required: true }),
      staff: f.json({ label: STAFF }),
    },
    handle: async (call) => {
      // An empty list is valid: the last person leaves.
      const given = call.body as { staff?: unknown; was?: unknown } | undefined
      const staff = parseStaff(Array.isArray(given?.staff) ? given.staff : call.input.staff)
      await forEachTenantOfRows(call, basicShopInfo, [call.input.id], async ([id], db) => {
        await lockVisibleRow(basicShopInfoServer, { ...call, db }, id!)
        const before = await findShopStaff(db, id!)
        requireUnchangedSet(
          given?.was,
          before.map(({ userId, position }) => `${userId}:${position}`),
        )
        const isAmong = (people: readonly StaffAssignment[], one: StaffAssignment) =>
          people.some(({ userId, position }) => userId === one.userId && position === one.position)
        await requireShopStaffChangeAllowed(
          { ...call, db },
          {
            taken: before.filter((one) => !isAmong(staff, one)).map(({ userId }) => userId),
            given: staff.filter((one) => !isAmong(before, one)).map(({ userId }) => userId),
          },
        )
        await replaceShopStaff(db, id!, staff)
        refreshShopLimits(
          call,
          [...before, ...staff].map((one) => one.userId),
        )
      })
    },
  }),
]

/** Records that a device of the shop was heard from; writes at most every half minute. */
export const recordShopSeen = (db: Db, shopId: string, services: Services): Promise<number> =>
  db.run(sql`update basic_shop_info set last_seen_time = ${services.now().toISOString()} where id = ${shopId}
    and tenant_id = ${db.tenantId}
    and (last_seen_time is null or last_seen_time < ${services.now().toISOString()}::timestamptz - interval
    '30 seconds')`)
