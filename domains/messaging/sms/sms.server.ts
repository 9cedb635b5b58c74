import { handleActionCall } from '#kit/server/resource/action-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { actorOfCaller } from '#kit/server/request/pipeline.ts'
import { defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { enableOnlyProviderRow, maskProviderSecrets, prepareProviderDraft } from '#domains/platform/files/api.ts'
import { createSmsBatch, parseSmsParams, sendSmsBatch } from './sms-send.ts'
import { endpointSendMessageCall } from './sms.calls.ts'
import { sms, smsRecord } from './sms.resource.ts'

export const smsServer = serve(sms, {
  beforeSave: (draft, was, call) => prepareProviderDraft(sms, draft, was, call),
  present: (wire) => maskProviderSecrets(wire),
  actions: { enable: (row, _input, call) => enableOnlyProviderRow(sms, row.id, call) },
})

export const smsRecordServer = serve(smsRecord, { without: ['submit', 'remove'] })

type SmsInput = { code: string | null; phones: string; params: string | null }

/**
 * Stores the message, commits, then sends it. Returns the provider's answer, or `asked` when the job will try again.
 */
async function sendMessage(call: Call<SmsInput>) {
  const { caller, services, input } = call
  const params = parseSmsParams(input.params)
  const batchId = await services.unit(
    { tenantId: caller.tenantId },
    (db) => createSmsBatch(db, services, { code: input.code, phones: input.phones, params }),
    actorOfCaller(caller),
  )
  const answer = await sendSmsBatch(services, caller.tenantId, batchId)
  if (!answer || answer.code === 'no_answer')
    return {
      success: true,
      code: 'asked',
      msg: call.lang === 'en' ? 'Accepted, on its way' : '短信已受理，正在发送',
      id: batchId,
    }
  if (!answer.success)
    throw new Refused(
      'sms_refused',
      { msg: answer.msg || answer.code },
      { success: false, code: answer.code, id: batchId },
    )
  return { success: true, code: answer.code, msg: answer.msg, id: batchId }
}

export const smsRoutes = [
  defineRoute({
    method: 'GET',
    path: `${sms.path}/enable`,
    comesTo: () => [`${sms.path}/enable`],
    title: { zh: '短信配置启用', en: 'Activate SMS provider' },
    can: 'sms_enable',
    handle: (call) => handleActionCall(smsServer, 'enable', sms.actions.enable, call),
  }),
  defineRoute(endpointSendMessageCall, {
    title: { zh: '发送短信', en: 'Send SMS' },
    can: 'sms',
    tx: false,
    perMinute: 120,
    handle: sendMessage,
  }),
]
