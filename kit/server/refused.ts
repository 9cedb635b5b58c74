import type { Words } from '../resource/words.ts'

/** Refusals every room shares. A room adds its own with `defineRefusals`. */
const common = {
  bad_request: { status: 400, zh: '请求无法识别', en: 'The request cannot be understood' },
  bad_body: { status: 400, zh: '请求内容不是有效的 JSON', en: 'The request body is not valid JSON' },
  missing_parameter: { status: 400, zh: '缺少必要的请求参数: {name}', en: 'Required parameter missing: {name}' },
  bad_filter: { status: 400, zh: '“{label}”的筛选条件无法识别', en: 'The filter on “{label}” cannot be understood' },
  filter_hidden: {
    status: 400,
    zh: '不能按“{label}”筛选：您看不到该字段',
    en: 'You do not see “{label}” and cannot filter by it',
  },
  filter_masked_end: {
    status: 400,
    zh: '按“{label}”查找请输入完整内容或最后 {count} 位',
    en: 'Give “{label}” in full or its last {count} {count|character|characters} to find it',
  },
  filter_masked: { status: 400, zh: '按“{label}”查找请输入完整内容', en: 'Give “{label}” in full to find it' },
  list_too_long: {
    status: 400,
    zh: '要找的范围太大，没有在时限内查完；请加上时间等条件，或输入更完整的内容',
    en: 'This looks through too much to be done in time; add a time or another condition, or give more of the text',
  },
  sort_hidden: { status: 400, zh: '不能按“{label}”排序', en: 'The list cannot be sorted by “{label}”' },
  bad_parameter: { status: 400, zh: '请求参数格式错误: {name}', en: 'Parameter has the wrong format: {name}' },
  number_too_big: {
    status: 400,
    zh: '有数字过大，无法精确计算；请检查是否有金额或数量输入有误',
    en: 'A number here is too large to be counted exactly: look for an amount or a quantity entered wrong',
  },
  invalid: { status: 400, zh: '{sentence}', en: '{sentence}' },
  nothing_chosen: { status: 400, zh: '请选择至少一条数据', en: 'Choose at least one row' },
  not_signed_in: { status: 401, zh: '请求未授权', en: 'Please sign in' },
  bad_client: { status: 401, zh: '客户端认证失败!', en: 'Client authentication failed' },
  forbidden: { status: 403, zh: '没有权限执行此操作', en: 'You are not allowed to do this' },
  held_for_approval: {
    status: 202,
    zh: '等待审批（{name}）：同意后自动执行，现在尚未更改',
    en: 'Waits for approval ({name}): it is done once they agree; nothing has changed yet',
  },
  password_must_change: { status: 403, zh: '请先修改密码', en: 'Change your password first' },
  platform_only: { status: 403, zh: '仅平台管理员可执行此操作', en: 'Only a platform administrator may do this' },
  not_found: { status: 404, zh: '{label}不存在', en: '{label} not found' },
  no_such_path: { status: 404, zh: '没有找到请求的地址', en: 'No such address' },
  wrong_method: { status: 405, zh: '不支持的请求方式', en: 'Method not supported' },
  wrong_media: { status: 415, zh: '不支持的内容类型', en: 'Content type not supported' },
  too_big: { status: 413, zh: '请求内容过大', en: 'The request is too large' },
  changed_meanwhile: {
    status: 409,
    zh: '数据已被他人修改，请核对后再保存',
    en: 'Someone else changed this meanwhile; check and save again',
  },
  taken: { status: 400, zh: '{label}已存在', en: '{label} exists already' },
  hidden_stays: {
    status: 400,
    zh: '您看不到“{label}”，不能修改它',
    en: 'You do not see “{label}” and cannot change it',
  },
  written_elsewhere: {
    status: 400,
    zh: '“{label}”由系统产生，不能手工修改',
    en: '"{label}" is written by the system and cannot be changed by hand',
  },
  not_by_hand: {
    status: 403,
    zh: '“{label}”由系统产生，任何人都不能手工新增或修改',
    en: '"{label}" is written by the system: nobody adds or changes it by hand',
  },
  kept_for_good: {
    status: 403,
    zh: '“{label}”作为记录保留，任何人都不能删除',
    en: '"{label}" is kept as a record: nobody can remove it',
  },
  common_to_all: {
    status: 403,
    zh: '这条“{label}”由平台维护、所有租户共用，只有平台可以修改或删除',
    en: 'This is kept by the platform for all tenants ({label}): only the platform changes or removes it',
  },
  goes_by_itself: {
    status: 403,
    zh: '“{label}”由系统随所属数据产生和删除，任何人都不能单独删除',
    en: '"{label}" comes and goes with what it belongs to: nobody removes it by itself',
  },
  of_others_too: {
    status: 403,
    zh: '这条数据还涉及您管理范围以外的内容，只能查看',
    en: 'This is partly beyond what you look after: you may look at it, not change it',
  },
  not_removable: { status: 400, zh: '“{label}”不能删除', en: '"{label}" cannot be removed' },
  still_named: {
    status: 400,
    zh: '“{name}”仍被 {by} 引用，不能删除',
    en: '"{name}" is still named by {by} and cannot be removed',
  },
  named_for_good: {
    status: 400,
    zh: '“{name}”已有 {by}，这些记录会一直保留，因此只能停用，不能删除',
    en: '"{name}" is named by {by}. Records are kept for good: put it out of use instead of removing it',
  },
  not_restorable: { status: 400, zh: '“{label}”删除后不能恢复', en: '"{label}" cannot be restored once removed' },
  nothing_to_restore: { status: 400, zh: '可恢复的内容与现在相同', en: 'What can be set back is already as it was' },
  set_moved: {
    status: 409,
    zh: '符合条件的数据已变为 {count} 条，请核对后再执行',
    en: 'The set has changed: {count} {count|row matches|rows match} now; check and run again',
  },
  set_too_big: { status: 400, zh: '一次最多处理 {max} 条', en: 'At most {max} rows at a time' },
  not_for_many: { status: 400, zh: '该操作不能批量执行', en: 'This cannot be done for many rows at once' },
  action_not_now: {
    status: 400,
    zh: '当前状态下不能执行“{action}”',
    en: '"{action}" is not possible in the current state',
  },
  has_children: { status: 400, zh: '请先删除子节点!', en: 'Remove the child nodes first' },
  parent_is_self: { status: 400, zh: '父节点不可选择自身!', en: 'A node cannot be its own parent' },
  parent_is_descendant: { status: 400, zh: '父节点不可选择自身的下级', en: 'A node cannot move below itself' },
  too_many_requests: {
    status: 429,
    zh: '操作过于频繁，请 {seconds} 秒后再试',
    en: 'Too many requests, try again in {seconds} {seconds|second|seconds}',
  },
  too_many_streams: {
    status: 429,
    zh: '实时连接过多（最多 {max} 个），请关闭一些页面',
    en: 'Too many live connections (at most {max}); close some pages',
  },
  too_many_settings: {
    status: 400,
    zh: '最多保存 {max} 项个人设置',
    en: "At most {max} settings of one's own can be kept",
  },
  busy: { status: 409, zh: '同一操作正在进行，请稍后再试', en: 'The same operation is under way, try again shortly' },
  unavailable: {
    status: 503,
    zh: '服务暂不可用，未做任何更改，请稍后再试',
    en: 'The service is not available right now; nothing was changed, try again shortly',
  },
  crowded: {
    status: 503,
    zh: '当前访问人数过多，未做任何更改，请稍后再试',
    en: 'Too many people are asking right now; nothing was changed, try again shortly',
  },
  outcome_unknown: {
    status: 503,
    zh: '保存时连接中断，结果未知；请先核对是否已保存，再决定是否重试',
    en: 'The connection was lost while saving. Nobody knows whether it was saved: look before you try again',
  },
  disk_full: {
    status: 503,
    zh: '服务器磁盘已满，暂时不能保存，未做任何更改；查询不受影响',
    en:
      'The disk of the server is full: nothing can be saved for now and nothing was changed; looking things up ' +
      'still works',
  },
} as const satisfies Record<string, Words & { status: number }>

/** `none` is read where the parameter `of` is nothing: "at most 0.00 can still …" tells nobody that all has gone. */
type RefusalWords = Words & { status?: number; none?: Words & { of: string } }
const catalogue = new Map<string, RefusalWords>(Object.entries(common))

/**
 * The codes there are. A room tells its own beside its `defineRefusals`, as only an interface can be told from
 * elsewhere:
 * `declare module '#kit/server/refused.ts' { interface Refusals extends CodesOf<typeof refusals> {} }`
 */
// oxlint-disable-next-line typescript/consistent-type-definitions
export interface Refusals extends CodesOf<typeof common> {}
export type CodesOf<R> = { [K in keyof R]: true }
/** A code that has both its sentences. */
export type RefusalCode = keyof Refusals

/** Adds a room's refusal codes, each with both sentences (status 400 unless said); a code may be defined once. */
export function defineRefusals<K extends string>(refusals: Record<K, RefusalWords>): Record<K, RefusalWords> {
  for (const [code, words] of Object.entries<RefusalWords>(refusals)) {
    if (catalogue.has(code)) throw new Error(`refusal "${code}" is defined twice`)
    catalogue.set(code, words)
  }
  return refusals
}

export const refusalWords = (code: string): RefusalWords => {
  const words = catalogue.get(code)
  if (!words) throw new Error(`refusal "${code}" has no sentences`)
  return words
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || /^0*(\.0*)?$/.test(String(value))

/** The words a refusal is said with, by what it has to tell. */
export function wordsOfRefusal({ code, params }: Pick<Refused, 'code' | 'params'>): Words {
  const words = refusalWords(code)
  return words.none && isNothing(params[words.none.of]) ? words.none : words
}

export const refusalCodes = (): ReadonlyMap<string, RefusalWords> => catalogue

/**
 * A refusal: a stable code, what its sentence mentions, and data for the client. `params` values that are `Words` are
 * said in the reader's language. The private cause goes to the log, never to the client.
 */
export class Refused extends Error {
  readonly code: RefusalCode
  readonly params: Record<string, unknown>
  readonly data: Record<string, unknown>
  constructor(code: RefusalCode, params: Record<string, unknown> = {}, data: Record<string, unknown> = {}) {
    super(code)
    refusalWords(code)
    this.code = code
    this.params = params
    this.data = data
  }
}
