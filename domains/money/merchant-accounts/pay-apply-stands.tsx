import type { WireRow } from '#kit/resource/index.ts'
import { Alert, QRCode } from 'antd'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { APPLY_STATE } from './dictionaries.ts'
import { payApply } from './pay-apply.resource.ts'
import './merchants.css'

type Row = WireRow<typeof payApply>
type Reason = { field?: string; field_name?: string; reject_reason?: string }

const words = {
  refused: { zh: '支付平台驳回了这些内容', en: 'The payment platform rejected these items' },
  sent: { zh: '（上次提交：{value}）', en: '(last submitted: {value})' },
  submitting: {
    zh: '已提交，微信支付还没有确认；会自动查询，不用重复提交',
    en: 'Submitted to WeChat Pay and awaiting confirmation. The status is checked automatically. Do not submit again.',
  },
  auditing: {
    zh: '微信支付审核中，一般 1 到 3 个工作日',
    en: 'WeChat Pay is reviewing it, usually 1 to 3 working days',
  },
  toVerify: {
    zh: '请超级管理员或法人在 10 天内用微信扫码验证账户',
    en: 'The administrator or legal representative must scan this with WeChat within 10 days to verify the account',
  },
  toSign: {
    zh: '请超级管理员在 30 天内用微信扫码签约，过期作废',
    en: 'The administrator must scan this with WeChat within 30 days to sign. It is voided after that.',
  },
  signing: { zh: '微信支付正在开通权限，约 30 分钟', en: 'WeChat Pay is activating the permissions, about 30 minutes' },
  finished: {
    zh: '已开通，特约商户号 {subMchid}；可以绑定门店',
    en: 'Activated. Sub-merchant ID {subMchid}. You can link stores.',
  },
  cancelled: {
    zh: '已作废，修改后会用新的编号提交',
    en: 'Voided. It is submitted with a new number after you edit it.',
  },
  submitFailed: { zh: '没有提交成功：{why}', en: 'Submission failed: {why}' },
} satisfies Record<string, LocalizedText>

const TONES: Record<string, 'info' | 'success' | 'warning' | 'error'> = {
  [APPLY_STATE.finished]: 'success',
  [APPLY_STATE.toVerify]: 'warning',
  [APPLY_STATE.toSign]: 'warning',
  [APPLY_STATE.submitFailed]: 'error',
}
// Dark on light in every theme: phones cannot read an inverted code.
const CODE_PX = 200

const reasonsOf = (row: Row) => (Array.isArray(row.auditDetail) ? row.auditDetail : []) as Reason[]

/** Lists the reasons of a rejection by field; `onGo` opens the field's input. */
export function RefusedNote({ row, onGo }: { row: Row; onGo?: (key: string) => void }) {
  const t = useLocalize()
  const reasons = reasonsOf(row)
  if (!reasons.length) return null
  const sentOf = ({ field = '' }: Reason) => String((row.sentValues as Record<string, unknown> | null)?.[field] ?? '')
  const named = ({ field, field_name }: Reason) => {
    const own = field && field in payApply.fields ? payApply.fields[field as keyof typeof payApply.fields] : undefined
    const label = own ? t(own.label) : (field_name ?? field)
    return own && onGo ? (
      <button type="button" className="kit-link" onClick={() => onGo(field!)}>
        {label}
      </button>
    ) : (
      label
    )
  }
  return (
    <Alert
      type="error"
      showIcon
      title={t(words.refused)}
      description={
        <ul className="merchant-missing">
          {reasons.map((one, at) => (
            <li key={at}>
              {named(one)}：{one.reject_reason}
              {sentOf(one) && <span className="kit-quiet"> {t(words.sent, { value: sentOf(one) })}</span>}
            </li>
          ))}
        </ul>
      }
    />
  )
}

/** State of an application with the next step, and the QR code when somebody must sign or verify. */
export function ApplyStatusNote({ row }: { row: Row }) {
  const t = useLocalize()
  const status = String(row.status)
  const statusText = words[status as keyof typeof words] as LocalizedText | undefined
  return (
    <>
      {statusText && (
        <Alert
          type={TONES[status] ?? 'info'}
          showIcon
          title={t(statusText, { subMchid: String(row.subMchid), why: String(row.stateMsg) })}
          description={
            row.signUrl ? (
              <QRCode value={String(row.signUrl)} size={CODE_PX} type="svg" color="black" bgColor="white" />
            ) : undefined
          }
        />
      )}
      <RefusedNote row={row} />
    </>
  )
}
