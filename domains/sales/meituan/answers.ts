import { parseJsonKeepingLongIntegers, VendorError } from '#domains/platform/external-apis/api.ts'

/** A refusal of one item of a batch. */
export type MeituanItemFailure = { appSpuCode: string; skuNo: string; code: string; message: string }
export type MeituanAnswer = { data: any; failed: MeituanItemFailure[]; total?: number; taskNo?: string }

type Fate = { isRetryable: boolean; isUndone: boolean }

const REFUSED: Fate = { isRetryable: false, isUndone: true }
/** Errors that may pass when the call is repeated; all others are refusals. */
const FATES: Readonly<Record<string, Fate>> = {
  // The platform failed while it worked on the call.
  700: { isRetryable: true, isUndone: false },
  711: { isRetryable: true, isUndone: true },
  4001: { isRetryable: true, isUndone: true },
}
export const MEITUAN_BUSY_CODE = '711'
export const MEITUAN_TOKEN_EXPIRED_CODE = '4001'

/** Our field that an error code is about, so that the form can show it there. */
export const MEITUAN_FIELD_BY_ERROR_CODE: Readonly<Record<string, string>> = {
  706: 'categoryName',
  802: 'longitude',
  807: 'name',
  1021: 'meituanGoodTypeId',
  1031: 'name',
  1032: 'salePrice',
  1037: 'name',
  3013: 'name',
}

export const createMeituanError = (code: string, message: string, httpStatus?: number): VendorError =>
  new VendorError({ system: 'meituan', code, message, httpStatus, ...(FATES[code] ?? REFUSED) })

export const toMeituanItemFailure = (one: Record<string, any>): MeituanItemFailure => ({
  appSpuCode: String(one.app_spu_code ?? one.app_food_code ?? ''),
  skuNo: String(one.sku_id ?? ''),
  code: String(one.code ?? ''),
  message: String(one.msg ?? ''),
})

function parseAnswer(status: number, text: string): Record<string, any> {
  try {
    return parseJsonKeepingLongIntegers(text) as Record<string, any>
  } catch (cause) {
    // A page of a proxy in front of the platform, so the outcome of the call is unknown.
    const message = `HTTP ${status} without JSON`
    throw new VendorError({ system: 'meituan', code: 'no_json', message, httpStatus: status, cause, ...FATES[700]! })
  }
}

/** Whether an answer, in either form, refuses the whole call. */
const isRefusal = ({ data, error, result_code: result }: Record<string, any>): boolean =>
  data === 'ng' || Boolean(error) || Number(result ?? 1) > 2

function refusalIn(
  { error, msg }: Record<string, any>,
  first: MeituanItemFailure | undefined,
  status: number,
): VendorError {
  const code = String(error?.code ?? first?.code ?? status)
  return createMeituanError(code, String(error?.msg ?? first?.message ?? msg ?? code), status)
}

/** Reads an answer in either form. Throws `VendorError` when the whole call was refused. */
export function readAnswer(status: number, text: string): MeituanAnswer {
  const answer = parseAnswer(status, text)
  const failed: MeituanItemFailure[] = (Array.isArray(answer.error_list) ? answer.error_list : []).map(
    toMeituanItemFailure,
  )
  if (isRefusal(answer)) throw refusalIn(answer, failed[0], status)
  const extra = answer.extra_info ?? {}
  return {
    // Tokens come without a `data` around them.
    data: 'data' in answer ? answer.data : answer,
    failed,
    ...(extra.total_count === undefined ? {} : { total: Number(extra.total_count) }),
    ...(extra.task_id === undefined ? {} : { taskNo: String(extra.task_id) }),
  }
}
