import { f, localize, type NewRowOf, type LocalizedText } from '#kit/resource/index.ts'
import type { FieldProblem } from '#kit/fields/base/field-kind.ts'
import { fieldProblemSentence } from '#kit/fields/problem-sentence.ts'
import { refusalResponse } from '#kit/server/request/envelope.ts'
import { raw, readBatch, sql, type Db } from '#kit/server/database/db.ts'
import { canReadUnmasked, visibleFields } from '#kit/server/database/data-scope.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import { unitOfWorkOptionsForRead, referenceableRowsSql, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { queryFilterSql } from '#kit/server/query/filters.ts'
import type { PendingApproval } from '#kit/server/request/approval-gate.ts'
import { parseEntity, toWire } from '#kit/server/request/parse-input.ts'
import { holdWriteForApproval } from '#kit/server/resource/call-route.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call, type Route } from '#kit/server/module/module.ts'
import { splitCellValues } from '#kit/server/sheets/cells.ts'
import { readSheet } from '#kit/server/sheets/read-sheet.ts'
import { createExportWatermark } from '#kit/server/sheets/mark.ts'
import { downloadResponse, writeSingleSheetWorkbook } from '#kit/server/sheets/write-sheet.ts'
import { parseDepartmentFilter } from './user-calls.server.ts'
import { user } from './user.resource.ts'
import { createInitialPasswordFactory, type InitialPassword, type IssuedPassword } from './first-password.ts'
import { afterUserSaved, checkUserDraft, toIssuedPassword, type UserRow } from './user.server.ts'

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
  email: { zh: '邮箱', en: 'Email' },
  phone: { zh: '手机', en: 'Phone' },
  roleName: { zh: '角色名称', en: 'Roles' },
  deptName: { zh: '部门名称', en: 'Departments' },
  postName: { zh: '岗位名称', en: 'Positions' },
  birthday: { zh: '生日', en: 'Birthday' },
} as const satisfies Record<string, LocalizedText>
type Column = keyof typeof columns
const keys = Object.keys(columns) as Column[]
const headings = (lang: 'zh' | 'en') => keys.map((key) => columns[key][lang])

/** Prefixes a text that a spreadsheet could take for a formula with a quote; `unguarded` removes it on import. */
const guarded = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
const unguarded = (text: string) => (/^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text)

const names = (table: string, column: string, mine: string) =>
  sql`(select string_agg(x.n, ',') from (select ${raw(column)} as n from ${raw(table)}
    where tenant_id = r.tenant_id and id = any(r.${raw(mine)})) x)`

async function exportUsers(call: Call) {
  await call.services.labels.ready(call.caller.tenantId)
  const { query, where } = await parseDepartmentFilter(call)
  const statement = sql`
    select r.tenant_id as "tenantId", r.user_type as "userType", r.account, r.name, r.real_name as "realName", r.email,
    r.phone, r.birthday,
      ${names('sys_role', 'role_name', 'role_id')} as "roleName",
      ${names('dept', 'dept_name', 'dept_id')} as "deptName", ${names('post', 'post_name', 'post_id')} as "postName"
    ${visibleRowsSql({ resource: user, hooks: {}, actions: {} }, call)}${queryFilterSql(user, query, call.caller)}${
      where
    }
    order by r.tenant_id, r.account limit ${EXPORT_MAX}`
  const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [statement])
  const { phone } = user.fields
  const seen = visibleFields(user, call.caller)
  const isPhoneWhole = canReadUnmasked(user, phone, call.caller)
  // Leaves out and masks the same fields as the user list does for this caller.
  const shown = (row: Record<string, unknown>) => {
    const given = isPhoneWhole ? row : { ...row, phone: fieldKindOf(phone).wire(row.phone, phone) }
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
  const title = localize(user.label, call.lang)
  const mark = createExportWatermark(call.caller, call.lang, call.services.now(), call.request.traceId)
  return call.reply(downloadResponse(title, await writeSingleSheetWorkbook(title, headings(call.lang), lines, mark)))
}

type Line = { line: number; cells: Record<Column, string> }

/** Reads the lines of a sheet whose headings are Chinese or English. */
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

/**
 * Import options: `isCovered` updates existing accounts, `isExact` refuses unknown names of roles, departments and
 * posts.
 */
type Import = { isCovered: boolean; isExact: boolean; first: () => Promise<InitialPassword>; given: IssuedPassword[] }

const RESOURCES = {
  roleId: { column: 'roleName', table: 'sys_role', name: 'role_name' },
  deptId: { column: 'deptName', table: 'dept', name: 'dept_name' },
  postId: { column: 'postName', table: 'post', name: 'post_name' },
} as const satisfies Record<string, { column: Column; table: string; name: string }>

/**
 * Returns the rows of the tenant with these names or ids, locked against removal. An unknown name is ignored unless
 * `isExact` (wire contract §3.3).
 */
async function idsOfNames(
  db: Db,
  { table, name }: (typeof RESOURCES)[keyof typeof RESOURCES],
  text: string,
  isExact: boolean,
): Promise<{ ids: string[]; problems: FieldProblem[] }> {
  const wanted = new Set(splitCellValues(text))
  const rows = await db.query<{ id: string; name: string }>(
    sql`select id::text as id, ${raw(name)} as name from ${raw(table)} where tenant_id = ${db.tenantId}
      and is_deleted = 0 and (${raw(name)} = any(${[...wanted]}) or id::text = any(${[...wanted]}))
      order by ${raw(name)}, id for share`,
  )
  const ids = new Set<string>()
  const problems: FieldProblem[] = []
  for (const one of wanted) {
    const named = rows.filter((row) => row.name === one)
    const [found, more] = named.length ? named : rows.filter(({ id }) => id === one)
    if (more) problems.push({ code: 'ambiguous', params: { count: named.length, name: one } })
    else if (found) ids.add(found.id)
    else if (isExact) problems.push({ code: 'no_such_part', params: { name: one } })
  }
  return { ids: [...ids], problems }
}

/** A user from a line of the sheet. */
type ImportedUser = Omit<NewRowOf<typeof user>, 'status'>

/** Converts a line into a user. Empty cells leave an existing user's values unchanged. */
async function draftOf(
  call: Call,
  { cells }: Line,
  was: UserRow | undefined,
  isExact: boolean,
): Promise<{ draft: ImportedUser; wrong: string[] }> {
  const filledCells = Object.fromEntries(Object.entries(cells).filter(([, text]) => !was || text)) as Partial<
    typeof cells
  >
  const types = call.services.labels.entries(call.db.tenantId, 'user_type', call.lang)
  const { userType } = filledCells
  const entity = {
    account: filledCells.account,
    name: filledCells.name,
    realName: filledCells.realName,
    email: filledCells.email,
    phone: filledCells.phone,
    birthday: filledCells.birthday,
    userType: userType && (types.find((one) => one.label === userType || one.key === userType)?.key ?? userType),
  }
  if (!was) entity.userType ||= '1'
  const { draft, problems } = parseEntity(user.fields, entity, !was)
  if ('userType' in draft && !types.some((one) => one.key === String(draft.userType)))
    problems.userType = { problem: { code: 'not_a_choice' }, field: user.fields.userType }
  const wrong = Object.values(problems).map(({ problem, field }) => fieldProblemSentence(problem, field, call.lang))
  for (const [key, resource] of Object.entries(RESOURCES)) {
    const text = filledCells[resource.column]
    if (text === undefined) continue
    const { ids, problems: unnamed } = await idsOfNames(call.db, resource, text, isExact)
    draft[key] = ids
    wrong.push(...unnamed.map((one) => fieldProblemSentence(one, { label: columns[resource.column] }, call.lang)))
  }
  return { draft: draft as ImportedUser, wrong }
}

/** Result of a line: its errors, or the approval it waits for. */
type Imported = { wrong: string[]; held?: PendingApproval }

async function importLine(call: Call, line: Line, { isCovered, isExact, first, given }: Import): Promise<Imported> {
  const { db } = call
  // An existing user the importer cannot see is not updated; its account name still counts as taken.
  const [was] = isCovered
    ? await db.find(user, sql`r.account = ${line.cells.account}${referenceableRowsSql(call, user)}`)
    : []
  const { draft, wrong } = await draftOf(call, line, was, isExact)
  if (wrong.length) return { wrong }
  try {
    await checkUserDraft(draft, was, call)
  } catch (error) {
    if (error instanceof Refused) return { wrong: [refusalResponse(error, call.lang).body.msg] }
    throw error
  }
  const write = async () => {
    if (was) return void (await afterUserSaved(await db.update(user, was.id, draft), was, call))
    const made = await first()
    const { hash: password, mustChange: mustChangePassword } = made
    const row = await db.insert(user, { ...draft, password, mustChangePassword, status: 1 })
    await afterUserSaved(row, undefined, call)
    return toIssuedPassword(row, made)
  }
  const body = { ...toWire(user.fields, draft), ...(was ? { id: was.id } : { status: 1 }) }
  const held = await holdWriteForApproval(call, `${user.path}/submit`, body, write)
  if (held) return { wrong: [], held }
  const imported = await write()
  if (imported) given.push(imported)
  return { wrong: [] }
}

/**
 * Imports users: all lines or, with any error, none, listing the errors. Lines that need an approval wait for it while
 * the others are written. Only platform administrators import into other tenants.
 */
async function importUsers(
  call: Call<{ isCovered: number | null; isExact: number | null }>,
): Promise<{ count: number; first: IssuedPassword[] } | PendingApproval> {
  if (!call.file) throw new Refused('missing_parameter', { name: 'file' })
  const lines = await linesOf(call.file.bytes)
  await call.services.labels.ready(call.caller.tenantId)
  const how = {
    isCovered: call.input.isCovered === 1,
    isExact: call.input.isExact === 1,
    first: await createInitialPasswordFactory(call.services),
    given: [] as IssuedPassword[],
  }

  const problems: string[] = []
  let held: PendingApproval | undefined
  let waiting = 0
  const run = async (line: Line, db: Db) => {
    const { wrong, ...found } = await importLine({ ...call, db }, line, how)
    if (found.held) waiting++
    held ??= found.held
    if (wrong.length)
      problems.push(
        localize(
          { zh: `第${line.line}行 ${wrong.join('，')}`, en: `line ${line.line}: ${wrong.join(', ')}` },
          call.lang,
        ),
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
            localize(
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
  // The initial passwords can be shown only now.
  const written = lines.length - waiting
  return held && !written ? held : { count: written, first: how.given }
}

const title = (zh: string, en: string) => ({ zh, en })

export const userSheetRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: `${user.path}/import-user`,
    title: title('导入用户', 'Import users'),
    can: 'user_import',
    uploadMaxBytes: FILE_MAX,
    perMinute: 10,
    input: {
      isCovered: f.number({ label: { zh: '是否覆盖', en: 'Overwrite existing' }, min: 0, max: 1 }),
      isExact: f.number({ label: { zh: '名称要存在', en: 'Names must exist' }, min: 0, max: 1 }),
    },
    handle: importUsers,
  }),
  defineRoute({
    method: 'GET',
    path: `${user.path}/export-user`,
    title: title('导出用户', 'Export users'),
    can: 'user_export',
    tx: false,
    handle: exportUsers,
  }),
  defineRoute({
    method: 'GET',
    path: `${user.path}/export-template`,
    title: title('用户导入模板', 'User import template'),
    can: ['user_import', 'user_export'],
    tx: false,
    handle: async (call) =>
      call.reply(
        downloadResponse(
          localize({ zh: '用户数据模板', en: 'User template' }, call.lang),
          await writeSingleSheetWorkbook(localize(user.label, call.lang), headings(call.lang), []),
        ),
      ),
  }),
]
