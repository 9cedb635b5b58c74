import type { LocalizedText } from '../../base/localized-text.ts'

/**
 * Texts of a refusal. `none` replaces them where parameter `of` is empty or zero, as "at most 0.00 can be refunded"
 * would not say that nothing is left.
 */
type RefusalWords = LocalizedText & { status?: number; none?: LocalizedText & { of: string } }
/** Refusals every module shares. A module adds its own with `defineRefusals`. */
const common = {
  bad_request: { status: 400, zh: '请求格式不正确', en: 'The request is not valid' },
  bad_body: { status: 400, zh: '请求内容不是有效的 JSON', en: 'The request body is not valid JSON' },
  missing_parameter: { status: 400, zh: '缺少必要的请求参数: {name}', en: 'Required parameter missing: {name}' },
  bad_filter: { status: 400, zh: '“{label}”的筛选条件不正确', en: 'The filter on “{label}” is not valid' },
  filter_hidden: {
    status: 400,
    zh: '您看不到“{label}”，不能按它筛选',
    en: 'You cannot filter by “{label}” because you cannot see it.',
  },
  filter_masked_end: {
    status: 400,
    zh: '按“{label}”查找请输入完整内容或最后 {count} 位',
    en: 'Enter the full “{label}” or its last {count} {count|character|characters}',
  },
  filter_masked: { status: 400, zh: '按“{label}”查找请输入完整内容', en: 'Enter the full “{label}” to search' },
  list_too_long: {
    status: 400,
    zh: '要找的范围太大，没有在时限内查完；请加上时间等条件，或输入更完整的内容',
    en: 'This search covers too much data and timed out. Add a date or another filter, or enter more of the text.',
  },
  sort_hidden: { status: 400, zh: '不能按“{label}”排序', en: 'The list cannot be sorted by “{label}”' },
  bad_parameter: { status: 400, zh: '请求参数格式错误: {name}', en: 'Check the format of parameter {name}' },
  number_too_big: {
    status: 400,
    zh: '有数字过大，无法精确计算；请检查是否有金额或数量输入有误',
    en: 'A number is too large to calculate exactly. Check the amounts and quantities you entered.',
  },
  invalid: { status: 400, zh: '{sentence}', en: '{sentence}' },
  nothing_chosen: { status: 400, zh: '请选择至少一条数据', en: 'Select at least one row' },
  not_signed_in: { status: 401, zh: '请求未授权', en: 'Please sign in' },
  bad_client: { status: 401, zh: '客户端认证失败!', en: 'Client authentication failed' },
  forbidden: { status: 403, zh: '没有权限执行此操作', en: 'You do not have permission to do this' },
  held_for_approval: {
    status: 202,
    zh: '已提交审批（{name}），同意后自动执行，现在还没改',
    en: 'Submitted for approval ({name}). The change is applied once approved.',
  },
  password_must_change: { status: 403, zh: '请先修改密码', en: 'Change your password first' },
  platform_only: { status: 403, zh: '仅平台管理员可执行此操作', en: 'Only a platform administrator can do this' },
  not_found: { status: 404, zh: '{label}不存在', en: '{label} not found' },
  no_such_path: { status: 404, zh: '没有找到请求的地址', en: 'This address does not exist' },
  wrong_method: { status: 405, zh: '不支持的请求方式', en: 'Method not supported' },
  wrong_media: { status: 415, zh: '不支持的内容类型', en: 'Content type not supported' },
  too_big: { status: 413, zh: '请求内容过大', en: 'The request is too large' },
  changed_meanwhile: {
    status: 409,
    zh: '数据已被他人修改，请核对后再保存',
    en: 'Someone else changed this in the meantime. Check it and save again.',
  },
  taken: { status: 400, zh: '{label}已存在', en: '{label} already exists' },
  hidden_stays: {
    status: 400,
    zh: '您看不到“{label}”，不能修改它',
    en: 'You cannot change “{label}” because you cannot see it.',
  },
  written_elsewhere: {
    status: 400,
    zh: '“{label}”由系统生成，不能手动修改',
    en: '“{label}” is created by the system and cannot be changed manually.',
  },
  not_by_hand: {
    status: 403,
    zh: '“{label}”由系统生成，不能手动新增或修改',
    en: '“{label}” is created by the system. It cannot be added or changed manually.',
  },
  kept_for_good: {
    status: 403,
    zh: '“{label}”要作为记录保留，不能删除',
    en: '“{label}” is kept as a record and cannot be deleted.',
  },
  common_to_all: {
    status: 403,
    zh: '这条“{label}”由平台维护、所有租户共用，只有平台能修改或删除',
    en: 'This {label} is shared by all tenants. Only the platform can change or delete it.',
  },
  goes_by_itself: {
    status: 403,
    zh: '“{label}”随所属数据一起产生和删除，不能单独删除',
    en: '“{label}” is created and deleted together with its parent record. It cannot be deleted on its own.',
  },
  of_others_too: {
    status: 403,
    zh: '这条数据还涉及您管理范围以外的内容，只能查看',
    en: 'Part of this record is outside your scope. You can view it but not change it.',
  },
  not_removable: { status: 400, zh: '“{label}”不能删除', en: '“{label}” cannot be deleted' },
  still_named: {
    status: 400,
    zh: '“{name}”仍被 {by} 引用，不能删除',
    en: '“{name}” is still used by {by} and cannot be deleted.',
  },
  named_for_good: {
    status: 400,
    zh: '“{name}”有 {by}，记录要一直保留，只能停用',
    en: '“{name}” has {by}, which are kept permanently. Deactivate it instead of deleting it.',
  },
  not_restorable: {
    status: 400,
    zh: '“{label}”删除后不能恢复',
    en: '“{label}” cannot be restored after it is deleted.',
  },
  nothing_to_restore: {
    status: 400,
    zh: '可恢复的内容与现在相同',
    en: 'There is nothing to restore. The values are already the same.',
  },
  set_moved: {
    status: 409,
    zh: '符合条件的数据已变为 {count} 条，请核对后再执行',
    en: 'The selection changed. {count} {count|row matches|rows match} now. Check and run again.',
  },
  set_too_big: {
    status: 400,
    zh: '一次最多处理 {max} 条',
    en: 'You can process up to {max} {max|row|rows} at a time.',
  },
  not_for_many: { status: 400, zh: '这个操作不能批量执行', en: 'This action cannot be run in bulk.' },
  action_not_now: {
    status: 400,
    zh: '当前状态为“{state}”，不能执行“{action}”',
    en: '“{action}” is not available in status “{state}”',
    none: {
      of: 'state',
      zh: '当前状态下不能执行“{action}”',
      en: '“{action}” is not available in the current status',
    },
  },
  has_children: { status: 400, zh: '请先删除子节点!', en: 'Delete the child items first' },
  parent_is_self: { status: 400, zh: '父节点不可选择自身!', en: 'An item cannot be its own parent' },
  parent_is_descendant: { status: 400, zh: '父节点不可选择自身的下级', en: 'An item cannot be moved below itself' },
  too_many_requests: {
    status: 429,
    zh: '操作过于频繁，请 {seconds} 秒后再试',
    en: 'Too many requests. Try again in {seconds} {seconds|second|seconds}.',
  },
  too_many_streams: {
    status: 429,
    zh: '实时连接过多（最多 {max} 个），请关闭一些页面',
    en: 'Too many live connections (up to {max}). Close some pages.',
  },
  too_many_settings: {
    status: 400,
    zh: '最多保存 {max} 项个人设置',
    en: 'You can save up to {max} personal {max|setting|settings}',
  },
  busy: {
    status: 409,
    zh: '同一操作正在进行，请稍后再试',
    en: 'The same operation is already running. Try again shortly.',
  },
  unavailable: {
    status: 503,
    zh: '服务暂时不可用，什么都没改，请稍后再试',
    en: 'The service is temporarily unavailable. Nothing was changed. Try again shortly.',
  },
  crowded: {
    status: 503,
    zh: '现在人太多，什么都没改，请稍后再试',
    en: 'The system is busy. Nothing was changed. Try again shortly.',
  },
  outcome_unknown: {
    status: 503,
    zh: '保存时断线了。请先看看有没有保存上，再重试',
    en: 'The connection was lost while saving. Check whether your change was saved before you try again.',
  },
  disk_full: {
    status: 503,
    zh: '服务器磁盘已满，暂时不能保存，未做任何更改；查询不受影响',
    en: 'The server disk is full. Nothing was changed and nothing can be saved for now. Viewing still works.',
  },
} as const satisfies Record<string, RefusalWords & { status: number }>

const catalogue = new Map<string, RefusalWords>(Object.entries(common))

/**
 * All refusal codes. A module adds its own next to its `defineRefusals` by extending this interface: `declare module
 * '#kit/server/base/refused.ts' { interface Refusals extends CodesOf<typeof refusals> {} }`
 */
// oxlint-disable-next-line typescript/consistent-type-definitions
export interface Refusals extends CodesOf<typeof common> {}
export type CodesOf<R> = { [K in keyof R]: true }
/** A refusal code that is defined with texts in both languages. */
export type RefusalCode = keyof Refusals

/**
 * Adds a module's refusal codes with texts in both languages; the HTTP status is 400 if absent. Throws if a code
 * exists.
 */
export function defineRefusals<K extends string>(refusals: Record<K, RefusalWords>): Record<K, RefusalWords> {
  for (const [code, words] of Object.entries<RefusalWords>(refusals)) {
    if (catalogue.has(code)) throw new Error(`refusal "${code}" is defined twice`)
    catalogue.set(code, words)
  }
  return refusals
}

export const refusalDefinition = (code: string): RefusalWords => {
  const words = catalogue.get(code)
  if (!words) throw new Error(`refusal "${code}" has no sentences`)
  return words
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || /^0*(\.0*)?$/.test(String(value))

/** Returns the text of a refusal, chosen by its parameters. */
export function refusalMessage({ code, params }: Pick<Refused, 'code' | 'params'>): LocalizedText {
  const words = refusalDefinition(code)
  return words.none && isNothing(params[words.none.of]) ? words.none : words
}

export const refusalCatalogue = (): ReadonlyMap<string, RefusalWords> => catalogue

/**
 * Error thrown to refuse a call: a stable code, `params` for its sentence (`LocalizedText` values are put into the
 * reader's language) and `data` for the client.
 */
export class Refused extends Error {
  readonly code: RefusalCode
  readonly params: Record<string, unknown>
  readonly data: Record<string, unknown>
  constructor(code: RefusalCode, params: Record<string, unknown> = {}, data: Record<string, unknown> = {}) {
    super(code)
    refusalDefinition(code)
    this.code = code
    this.params = params
    this.data = data
  }
}
