import { Alert, Input } from 'antd'
import { useState } from 'react'
import type { CellProps } from '#kit/fields/web-kind.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import type { LayoutOf } from '#kit/web/page-parts.ts'
import { tenantCells, tenantHead, tenantInputs, useForTenant } from '#kit/web/for-tenant.tsx'
import type { Row } from '#kit/web/form/form-values.ts'
import { post } from '#kit/web/http.ts'
import { useSay } from '#kit/web/language.tsx'
import { ResourcePage } from '#kit/web/resource-page.tsx'
import { WorkDrawer } from '#kit/web/detail/work-drawer.tsx'
import { EnableSwitch } from '#domains/files/parts.ts'
import { sms } from './sms.resource.ts'

const words = {
  intro: {
    zh: '短信由哪家服务商发送；同一时间只有一个在使用',
    en: 'Which provider sends messages; one is in use at a time',
  },
  enable: {
    zh: '启用后短信由它发送，其他配置随之停用。',
    en: 'It then sends all messages, and the others are put out of use.',
  },
  what: { zh: '配置', en: 'Provider' },
  keys: { zh: '密钥', en: 'Keys' },
  more: { zh: '其他', en: 'More' },
  test: { zh: '发送测试', en: 'Send a test' },
  phones: { zh: '手机号码', en: 'Phone numbers' },
  phonesHelp: { zh: '多个号码用逗号分隔', en: 'Separate several by commas' },
  params: { zh: '模板参数', en: 'Parameters of the template' },
  paramsHelp: {
    zh: 'JSON，如 {"code":"1234"}；没有参数可留空',
    en: 'JSON such as {"code":"1234"}; leave empty when there are none',
  },
  template: { zh: '模板', en: 'Template' },
  notJson: { zh: '不是有效的 JSON', en: 'This is not valid JSON' },
  notPhone: { zh: '手机号码应为 11 位', en: 'A phone number has 11 digits' },
  real: { zh: '会真实发出短信，服务商可能计费。', en: 'A real message is sent; the provider may charge for it.' },
}

const layout: LayoutOf<typeof sms> = [
  { title: words.what, fields: ['tenantId', 'category', 'smsCode', 'templateId', 'signName', 'regionId', 'endpoint'] },
  { title: words.keys, fields: ['accessKey', 'secretKey'] },
  { title: words.more, fields: ['remark'] },
]

const { enable: _enable, ...actions } = sms.actions
const shown: Resource<any, any> = {
  ...sms,
  actions,
  fields: { ...sms.fields, status: { ...sms.fields.status, width: 130, sortable: false } },
  list: {
    ...sms.list,
    columns: ['smsCode', 'tenantId', 'status', 'category', 'templateId', 'signName', 'accessKey', 'createTime'],
  },
}
const cells = {
  ...tenantCells,
  status: ({ row }: CellProps) => (
    <EnableSwitch resource={sms} row={row} name={String(row.smsCode)} enableText={words.enable} />
  ),
}

/** SMS providers of the tenant. */
export default function SmsPage() {
  const [testing, setTesting] = useState<Row>()
  const resource = useForTenant(shown)
  return (
    <>
      <ResourcePage
        resource={resource}
        page={{
          intro: words.intro,
          head: tenantHead,
          inputs: tenantInputs,
          formLayout: layout,
          cells,
          deeds: (row) => [{ key: 'test', label: words.test, icon: 'send', run: () => setTesting(row) }],
        }}
      />
      {testing && <TestDrawer row={testing} onClose={() => setTesting(undefined)} />}
    </>
  )
}

const isObject = (text: string) => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function TestDrawer({ row, onClose }: { row: Row; onClose: () => void }) {
  const say = useSay()
  const [phones, setPhones] = useState('')
  const [params, setParams] = useState('')
  const list = phones.split(/[,，\s]+/).filter(Boolean)
  const badPhone = list.some((one) => !/^1\d{10}$/.test(one))
  const badParams = params.trim() !== '' && !isObject(params)
  const send = async () => {
    const { msg } = await post<{ msg: string }>(`${sms.path}/endpoint/send-message`, {
      query: { code: row.smsCode, phones: list.join(','), params: params.trim() || '{}' },
    })
    return msg
  }
  return (
    <WorkDrawer
      title={say(words.test)}
      subject={String(row.smsCode)}
      size={520}
      what={say(words.test)}
      isChanged={list.length > 0 && !badPhone && !badParams}
      saveLabel={words.test}
      save={send}
      onClose={onClose}
    >
      <Alert className="kit-note" type="info" showIcon title={say(words.real)} />
      <div className="kit-form">
        <div className={badPhone ? 'kit-field kit-field-bad' : 'kit-field'}>
          <label htmlFor="sms-phones">
            {say(words.phones)}
            <span className="kit-required" aria-hidden>
              {' '}
              *
            </span>
          </label>
          <Input.TextArea
            id="sms-phones"
            inputMode="tel"
            autoSize={{ minRows: 2, maxRows: 6 }}
            value={phones}
            onChange={(event) => setPhones(event.target.value)}
            status={badPhone ? 'error' : undefined}
            aria-describedby="sms-phones-help"
          />
          <div id="sms-phones-help" className="kit-help">
            {say(words.phonesHelp)}
          </div>
          {badPhone && (
            <div className="kit-error" role="alert">
              {say(words.notPhone)}
            </div>
          )}
        </div>
        <div className={badParams ? 'kit-field kit-field-bad' : 'kit-field'}>
          <label htmlFor="sms-params">{say(words.params)}</label>
          <Input.TextArea
            id="sms-params"
            className="kit-mono"
            autoSize={{ minRows: 3, maxRows: 8 }}
            spellCheck={false}
            value={params}
            onChange={(event) => setParams(event.target.value)}
            status={badParams ? 'error' : undefined}
            aria-describedby="sms-params-help"
          />
          <div id="sms-params-help" className="kit-help">
            {say(words.paramsHelp)} · {say(words.template)}: <code>{String(row.templateId)}</code>
          </div>
          {badParams && (
            <div className="kit-error" role="alert">
              {say(words.notJson)}
            </div>
          )}
        </div>
      </div>
    </WorkDrawer>
  )
}
