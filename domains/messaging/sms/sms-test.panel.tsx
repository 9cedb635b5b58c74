import type { WireRow } from '#kit/resource/index.ts'
import { Alert, Input, type GetProps } from 'antd'
import { useState, type ReactNode } from 'react'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { SaveDrawer } from '#kit/web/detail/task-drawer.tsx'
import { callApi } from '#kit/web/http/call.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { endpointSendMessageCall } from './sms.calls.ts'
import type { sms } from './sms.resource.ts'

type Row = WireRow<typeof sms>

export const SEND_TEST_LABEL: LocalizedText = { zh: '发送测试', en: 'Send test' }

const words = {
  phones: { zh: '手机号码', en: 'Phone numbers' },
  phonesHelp: { zh: '多个号码用逗号分隔', en: 'Separate several numbers with commas' },
  params: { zh: '模板参数', en: 'Template parameters' },
  paramsHelp: {
    zh: 'JSON，如 {"code":"1234"}；没有参数可留空',
    en: 'JSON, for example, {"code":"1234"}. Leave blank if there are none.',
  },
  template: { zh: '模板', en: 'Template' },
  notJson: { zh: '不是有效的 JSON', en: 'Not valid JSON' },
  notPhone: { zh: '手机号码应为 11 位', en: 'A phone number must have 11 digits' },
  real: { zh: '会真实发出短信，服务商可能计费。', en: 'A real message is sent. The provider may charge for it.' },
}

const isObject = (text: string) => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** Form that sends a real message, to test a provider. */
export function SmsTestDrawer({ row, onClose }: { row: Row; onClose: () => void }) {
  const t = useLocalize()
  const [phones, setPhones] = useState('')
  const [params, setParams] = useState('')
  const list = phones.split(/[,，\s]+/).filter(Boolean)
  const badPhone = list.some((one) => !/^1\d{10}$/.test(one))
  const badParams = params.trim() !== '' && !isObject(params)

  const send = async () => {
    const message = { code: row.smsCode, phones: list.join(','), params: params.trim() || '{}' }
    return (await callApi(endpointSendMessageCall, message)).msg
  }

  return (
    <SaveDrawer
      title={t(SEND_TEST_LABEL)}
      subject={String(row.smsCode)}
      size={520}
      what={t(SEND_TEST_LABEL)}
      isChanged={list.length > 0 && !badPhone && !badParams}
      saveLabel={SEND_TEST_LABEL}
      save={send}
      onClose={onClose}
    >
      <Alert className="kit-note" type="info" showIcon title={t(words.real)} />
      <div className="kit-form">
        <Text
          id="sms-phones"
          label={words.phones}
          isRequired
          wrong={badPhone ? words.notPhone : undefined}
          help={t(words.phonesHelp)}
          area={{
            inputMode: 'tel',
            autoSize: { minRows: 2, maxRows: 6 },
            value: phones,
            onChange: (event) => setPhones(event.target.value),
          }}
        />
        <Text
          id="sms-params"
          label={words.params}
          wrong={badParams ? words.notJson : undefined}
          help={
            <>
              {t(words.paramsHelp)} · {t(words.template)}: <code>{String(row.templateId)}</code>
            </>
          }
          area={{
            className: 'kit-mono',
            autoSize: { minRows: 3, maxRows: 8 },
            spellCheck: false,
            value: params,
            onChange: (event) => setParams(event.target.value),
          }}
        />
      </div>
    </SaveDrawer>
  )
}

type TextProps = {
  id: string
  label: LocalizedText
  isRequired?: boolean
  wrong: LocalizedText | undefined
  help: ReactNode
  area: GetProps<typeof Input.TextArea>
}

/** A text input with its label, help text and error. */
function Text({ id, label, isRequired, wrong, help, area }: TextProps) {
  const t = useLocalize()
  return (
    <div className={wrong ? 'kit-field kit-field-bad' : 'kit-field'}>
      <label htmlFor={id}>
        {t(label)}
        {isRequired && (
          <span className="kit-required" aria-hidden>
            {' '}
            *
          </span>
        )}
      </label>
      <Input.TextArea {...area} id={id} status={wrong && 'error'} aria-describedby={`${id}-help`} />
      <div id={`${id}-help`} className="kit-help">
        {help}
      </div>
      {wrong && (
        <div className="kit-error" role="alert">
          {t(wrong)}
        </div>
      )}
    </div>
  )
}
