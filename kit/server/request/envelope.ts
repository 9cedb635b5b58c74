import { fieldProblemSentence } from '../../fields/problem-sentence.ts'
import type { Field, FieldProblem } from '../../fields/base/field-kind.ts'
import { localize, type Lang, type LocalizedText } from '../../base/localized-text.ts'
import { refusalDefinition, refusalMessage, type Refused } from '../base/refused.ts'
import { MessageResult } from '../module/module.ts'

/** The envelope of every answer (wire contract §1.2). Error bodies are built only in this file. */
type Envelope = { code: number; success: boolean; data: unknown; msg: string }

const DONE: LocalizedText = { zh: '操作成功', en: 'Done' }
const NOTHING: LocalizedText = { zh: '暂无承载数据', en: 'No data' }
const CRASH: LocalizedText = { zh: '服务器异常', en: 'Something went wrong on the server' }

export function successEnvelope(data: unknown, lang: Lang): Envelope {
  if (data instanceof MessageResult) return { ...successEnvelope(data.data, lang), msg: localize(data.words, lang) }
  // `undefined` is the result of a write that has nothing to return.
  if (data === undefined) return { code: 200, success: true, data: {}, msg: localize(DONE, lang) }
  if (data === null) return { code: 200, success: true, data: {}, msg: localize(NOTHING, lang) }
  return { code: 200, success: true, data: data === true ? {} : data, msg: localize(DONE, lang) }
}

const isWords = (value: unknown): value is LocalizedText =>
  typeof value === 'object' && value !== null && 'zh' in value && 'en' in value

/** Returns the message of a refusal in this language. */
export function refusalSentence(refused: Pick<Refused, 'code' | 'params'>, lang: Lang): string {
  const params = Object.fromEntries(
    Object.entries(refused.params).map(([key, value]) => [key, isWords(value) ? value[lang] : value]),
  )
  return localize(refusalMessage(refused), lang, params)
}

type Problems = Record<string, { problem: FieldProblem; field: Field }>

/**
 * Returns status and body of a refusal in the reader's language: reason code, message, and a message for each invalid
 * field.
 */
export function refusalResponse(refused: Refused, lang: Lang): { status: number; body: Envelope } {
  const words = refusalDefinition(refused.code)
  const status = words.status ?? 400
  const { problems, oauth, field, ...data } = refused.data as { problems?: Problems; oauth?: true; field?: string }
  const named =
    problems &&
    Object.fromEntries(
      Object.entries(problems).map(([key, one]) => [key, fieldProblemSentence(one.problem, one.field, lang)]),
    )
  const sentence = named ? Object.values(named)[0] : undefined
  const msg = refused.code === 'invalid' && sentence ? sentence : refusalSentence(refused, lang)
  // A refusal about one field is also shown below that field.
  const fields = named ?? (field ? { [field]: msg } : undefined)
  // Sign-in errors also carry the protocol's older names (wire contract §2.2).
  const twice = oauth ? { error_code: status, error_description: msg } : {}
  return {
    status,
    body: {
      code: status,
      success: false,
      data: { reason: refused.code, ...(fields ? { fields } : {}), ...data },
      msg,
      ...twice,
    },
  }
}

/** The sentences of a refusal in both languages, where it is kept for whoever reads it later. */
export const sentencesOf = (refused: Refused): LocalizedText => ({
  zh: refusalResponse(refused, 'zh').body.msg,
  en: refusalResponse(refused, 'en').body.msg,
})

export const crashResponse = (traceId: string, lang: Lang): { status: number; body: Envelope } => ({
  status: 500,
  body: { code: 500, success: false, data: { reason: 'crash', traceId }, msg: `${localize(CRASH, lang)} (${traceId})` },
})
