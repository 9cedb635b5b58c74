import type { SmsMessage, SmsSender } from './sms.client.ts'
import { postExternalJson } from '#kit/server/request/external-request.ts'

/** Encodes template values in Yunpian's own way (`tpl_value`); the form encoding then encodes them a second time. */
const templateValue = (params: Record<string, string>) =>
  Object.entries(params)
    .map(([name, value]) => `${encodeURIComponent(`#${name}#`)}=${encodeURIComponent(value)}`)
    .join('&')

/**
 * Fills in a template text stored here (not at Yunpian) and puts the signature in front, in 【】 unless it begins with
 * one.
 */
function textOf({ templateId, params, signName }: SmsMessage): string {
  const text = templateId.replace(/\$\{(\w+)\}|#(\w+)#/g, (whole, dollar, hash) => params[dollar ?? hash] ?? whole)
  return text.startsWith('【') || !signName ? text : `【${signName}】${text}`
}

export const sendSmsByYunpian: SmsSender = async (config, message, timeoutMs) => {
  const isNumber = /^\d+$/.test(message.templateId)
  const isBatch = message.phones.length > 1
  const call = `${isNumber ? 'tpl_' : ''}${isBatch ? 'batch' : 'single'}_send`
  const answer = await postExternalJson({
    url: new URL(`/v2/sms/${call}.json`, config.endpoint || 'https://sms.yunpian.com').href,
    body: new URLSearchParams({
      apikey: config.accessKey,
      mobile: message.phones.join(','),
      ...(isNumber
        ? { tpl_id: message.templateId, tpl_value: templateValue(message.params) }
        : { text: textOf(message) }),
    }).toString(),
    contentType: 'application/x-www-form-urlencoded; charset=utf-8',
    timeoutMs,
    mayBeInside: config.mayBeInside,
  })
  const entries: { code: number; msg: string; sid?: string | number }[] = answer.data ?? [answer]
  const failed = entries.length === 0 ? { code: 'unknown', msg: '' } : entries.find((entry) => entry.code !== 0)
  const bizId = entries
    .map((entry) => entry.sid)
    .filter(Boolean)
    .join(',')
  if (!failed) return { success: true, code: '0', msg: entries[0]!.msg, bizId }
  const detail = 'detail' in answer ? String(answer.detail) : ''
  return { success: false, code: String(failed.code ?? 'unknown'), msg: detail || (failed.msg ?? ''), bizId }
}
