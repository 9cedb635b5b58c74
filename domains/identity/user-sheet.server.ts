import { f, say, type NewRowOf, type Words } from '#kit/resource/index.ts'
import { problemSentence } from '#kit/fields/problems.ts'
import { refusal } from '#kit/server/request/envelope.ts'
import { join, raw, readTogether, sql, type Db } from '#kit/server/database/db.ts'
import { seesWhole, visibleFields } from '#kit/server/database/data-scope.ts'
import { kindOf } from '#kit/fields/kinds.ts'
import { boundOf, nameable, visible } from '#kit/server/resource/list-of.ts'
import { filtersOf } from '#kit/server/lists/filters.ts'
import { parseEntity } from '#kit/server/request/parse-input.ts'
import { Refused } from '#kit/server/refused.ts'
import { route, type Call, type Route } from '#kit/server/room.ts'
import { hashPassword } from '#kit/server/security/index.ts'
import { readSheet } from '#kit/server/sheets/read-sheet.ts'
import { markOf } from '#kit/server/sheets/mark.ts'
import { sheetAnswer, writeSheet } from '#kit/server/sheets/write-sheet.ts'
import { ofDepartment } from './user-calls.server.ts'
import { user } from './user.resource.ts'
import { afterUser, checkUser, initialPassword } from './user.server.ts'

const ROWS_MAX = 2000
const EXPORT_MAX = 50_000
const SHOWN = 10
const FILE_MAX = 5 * 1024 * 1024

/** Columns of the sheet in their order (wire contract §3.3). */
const columns = {
  tenantId: { zh: '租户编号', en: 'Tenant' },
  userType: { zh: '用户类型', en: 'Platform' },
  account: { zh: '账户', en: 'Account' },
  name: { zh: '昵称', en: 'Nickname' },
  realName: { zh: '姓名', en: 'Name' },
  email: { zh: '邮箱', en: 'E-mail' },
  phone: { zh: '手机', en: 'Phone' },
  roleName: { zh: '角色名称', en: 'Roles' },
  deptName: { zh: '部门名称', en: 'Departments' },
  postName: { zh: '岗位名称', en: 'Posts' },
  birthday: { zh: '生日', en: 'Birthday' },
} as const satisfies Record<string, Words>
type Column = keyof typeof columns
const keys = Object.keys(columns) as Column[]
const headings = (lang: 'zh' | 'en') => keys.map((key) => columns[key][lang])

/** A text that a spreadsheet could take for a formula is quoted, and unquoted when it comes back. */
const guarded = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
const unguarded = (text: string) => (/^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text)

const names = (table: string, column: string, mine: string) =>
  sql`(select string_agg(x.n, ',') from (select ${raw(column)} as n from ${raw(table)}
    where tenant_id = r.tenant_id and id = any(r.${raw(mine)})) x)`

async function exportUsers(call: Call) {
  await call.services.labels.ready(call.caller.tenantId)
  const { query, where } = await ofDepartment(call)
  const statement = sql`
    select r.tenant_id as "tenantId", r.user_type as "userType", r.account, r.name, r.real_name as "realName", r.email,
    r.phone, r.birthday,
      ${names('sys_role', 'role_name', 'role_id')} as "roleName",
      ${names('dept', 'dept_name', 'dept_id')} as "deptName", ${names('post', 'post_name', 'post_id')} as "postName"
    ${visible({ resource: user, hooks: {}, actions: {} }, call)}${filtersOf(user, query, call.caller)}${where}
    order by r.tenant_id, r.account limit ${EXPORT_MAX}`
  const [rows] = await readTogether(call.services.pool, boundOf(call), [statement])
  const { phone } = user.fields
  const seen = visibleFields(user, call.caller)
  const isPhoneWhole = seesWhole(user, phone, call.caller)
  // What a list of users would not show its reader is not in their sheet either.
  const shown = (row: Record<string, unknown>) => {
    const given = isPhoneWhole ? row : { ...row, phone: kindOf(phone).wire(row.phone, phone) }
    return seen
      ? Object.fromEntries(
          Object.entries(given).filter(
            ([key]) => key === 'tenantId' || seen.has(key.replace(/Name$/, 'Id')) || seen.has(key),
          ),
        )
      : given
  }
  const word = (row: Record<string, unknown>, key: Column) =>
    key === 'userType'
      ? call.services.labels.dict(row.tenantId as string, user.fields.userType, row.userType, call.lang)
      : String(row[key] ?? '')
  const lines = rows!.map(shown).map((row) => keys.map((key) => guarded(word(row, key))))
  const title = say(user.label, call.lang)
  const mark = markOf(call.caller, call.lang, call.services.now(), call.request.traceId)
  return call.reply(sheetAnswer(title, await writeSheet(title, headings(call.lang), lines, mark)))
}

type Line = { line: number; cells: Record<Column, string> }

/** Lines of a sheet under the headings of either language. */
async function linesOf(bytes: Buffer): Promise<Line[]> {
  const needed: Column[] = ['account', 'name', 'realName']
  const read = async (lang: 'zh' | 'en') => ({
    lang,
    rows: await readSheet(
      bytes,
      needed.map((key) => columns[key][lang]),
    ),
  })
  const { lang, rows } = await read('zh').catch(() => read('en'))
  if (rows.length > ROWS_MAX) throw new Refused('sheet_too_long', { max: ROWS_MAX })
  return rows.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(keys.map((key) => [key, unguarded(cells[columns[key][lang]] ?? '')])) as Record<
      Column,
      string
    >,
  }))
}

/** Ids of names within the tenant, of rows nobody removes meanwhile; a name nobody has gives none. */
async function idsOfNames(
  db: Db,
  table: 'sys_role' | 'dept' | 'post',
  column: string,
  texts: string,
): Promise<string[]> {
  const wanted = texts
    .split(/[,，]/)
    .map((text) => text.trim())
    .filter(Boolean)
  if (!wanted.length) return []
  const rows = await db.query<{ id: string }>(
    sql`select id::text as id from ${raw(table)} where tenant_id = ${db.tenantId} and is_deleted = 0 and id in (
        select distinct on (${raw(column)}) id from ${raw(table)} where tenant_id = ${db.tenantId}
        and is_deleted = 0 and ${raw(column)} in (${join(wanted)}) order by ${raw(column)}, id)
      order by ${raw(column)} for share`,
  )
  return rows.map((row) => row.id)
}

/** What a line says of somebody, whole where nothing is wrong with it. */
type Told = Omit<NewRowOf<typeof user>, 'status'>

async function draftOf(call: Call, { cells }: Line): Promise<{ draft: Told; wrong: string[] }> {
  const types = call.services.labels.entries(call.db.tenantId, 'user_type', call.lang)
  const userType = cells.userType
    ? (types.find((one) => one.label === cells.userType || one.key === cells.userType)?.key ?? cells.userType)
    : '1'
  const entity = {
    account: cells.account,
    name: cells.name,
    realName: cells.realName,
    email: cells.email,
    phone: cells.phone,
    birthday: cells.birthday,
    userType,
  }
  const { draft, problems } = parseEntity(user.fields, entity, true)
  const db = call.db
  const [roleId, deptId, postId] = [
    await idsOfNames(db, 'sys_role', 'role_name', cells.roleName),
    await idsOfNames(db, 'dept', 'dept_name', cells.deptName),
    await idsOfNames(db, 'post', 'post_name', cells.postName),
  ]
  if (!types.some((one) => one.key === String(draft.userType)))
    problems.userType = { problem: { code: 'not_a_choice' }, field: user.fields.userType }
  const wrong = Object.values(problems).map(({ problem, field }) => problemSentence(problem, field, call.lang))
  return { draft: { ...(draft as Told), roleId, deptId, postId }, wrong }
}

type Import = { isCovered: boolean; password: string }

async function importLine(call: Call, line: Line, { isCovered, password }: Import): Promise<string[]> {
  const { draft, wrong } = await draftOf(call, line)
  if (wrong.length) return wrong
  const { db } = call
  // Whom the importer does not see is not there to be overwritten; the account is taken all the same.
  const [was] = isCovered ? await db.find(user, sql`r.account = ${draft.account}${nameable(call, user)}`) : []
  try {
    await checkUser(draft, was, call)
  } catch (error) {
    if (error instanceof Refused) return [refusal(error, call.lang).body.msg]
    throw error
  }
  const row = was ? await db.update(user, was.id, draft) : await db.insert(user, { ...draft, password, status: 1 })
  await afterUser(row, was, call)
  return []
}

/**
 * All lines or none; with mistakes the answer lists them. Whoever is no platform administrator imports into their own
 * tenant.
 */
async function importUsers(call: Call<{ isCovered: number | null }>): Promise<undefined> {
  if (!call.file) throw new Refused('missing_parameter', { name: 'file' })
  const lines = await linesOf(call.file.bytes)
  await call.services.labels.ready(call.caller.tenantId)
  const how = { isCovered: call.input.isCovered === 1, password: await hashPassword(await initialPassword(call)) }
  const problems: string[] = []
  const run = async (line: Line, db: Db) => {
    const wrong = await importLine({ ...call, db }, line, how)
    if (wrong.length)
      problems.push(
        say({ zh: `第${line.line}行 ${wrong.join('，')}`, en: `line ${line.line}: ${wrong.join(', ')}` }, call.lang),
      )
  }
  for (const line of lines) {
    const tenantId = call.caller.isPlatform && line.cells.tenantId ? line.cells.tenantId : call.caller.tenantId
    if (tenantId === call.db.tenantId) await run(line, call.db)
    else
      await call.db.acrossTenants('platform administrator imports users of a tenant', async (all) => {
        const found = await all.one(sql`select 1 from tenant where tenant_id = ${tenantId} and is_deleted = 0`)
        if (found) await all.asTenant(tenantId, (db) => run(line, db))
        else
          problems.push(
            say(
              {
                zh: `第${line.line}行 租户 ${tenantId} 不存在`,
                en: `line ${line.line}: tenant ${tenantId} does not exist`,
              },
              call.lang,
            ),
          )
      })
    if (problems.length >= SHOWN) break
  }
  if (problems.length) throw new Refused('users_not_imported', { rows: problems.join('; ') })
  return undefined
}

const title = (zh: string, en: string) => ({ zh, en })

export const userSheetRoutes: Route[] = [
  route({
    method: 'POST',
    path: `${user.path}/import-user`,
    title: title('导入用户', 'Import users'),
    can: 'user_import',
    uploadMaxBytes: FILE_MAX,
    perMinute: 10,
    input: { isCovered: f.number({ label: { zh: '是否覆盖', en: 'Replace existing' }, min: 0, max: 1 }) },
    handle: importUsers,
  }),
  route({
    method: 'GET',
    path: `${user.path}/export-user`,
    title: title('导出用户', 'Export users'),
    can: 'user_export',
    tx: false,
    handle: exportUsers,
  }),
  route({
    method: 'GET',
    path: `${user.path}/export-template`,
    title: title('用户导入模板', 'Import template'),
    can: ['user_import', 'user_export'],
    tx: false,
    handle: async (call) =>
      call.reply(
        sheetAnswer(
          say({ zh: '用户数据模板', en: 'User template' }, call.lang),
          await writeSheet(say(user.label, call.lang), headings(call.lang), []),
        ),
      ),
  }),
]
