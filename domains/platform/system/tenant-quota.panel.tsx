import { NAME_SEPARATOR } from '#kit/base/localized-text.ts'
import type { WireRow } from '#kit/resource/index.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Radio } from 'antd'
import { useState } from 'react'
import DateInput from '#kit/fields/date/date-input.web.tsx'
import { NumberInput } from '#kit/fields/number/number.web.tsx'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { SaveDrawer } from '#kit/web/detail/task-drawer.tsx'
import { formInputId, useForm, type FormState, type FormLayout } from '#kit/web/form/use-form.ts'
import { tenant } from './tenant.resource.ts'

type Row = WireRow<typeof tenant>

const words = {
  title: { zh: '授权配置', en: 'License settings' },
  several: {
    zh: '将同时修改 {count} 个租户：{names}',
    en: 'This changes {count} {count|tenant|tenants} at once: {names}',
  },
  keep: { zh: '保持不变', en: 'Keep unchanged' },
  unlimited: { zh: '不限', en: 'No limit' },
  limited: { zh: '最多', en: 'Up to' },
  accounts: { zh: '个账号', en: 'accounts' },
  beyond: {
    zh: '{name}已有 {count} 个账号，多于这个额度：已有的仍可使用，不能再新增',
    en:
      '{name} has {count} {count|account|accounts}, more than this limit. Existing ones keep working, ' +
      'but no more can be added.',
  },
  forever: { zh: '永久有效', en: 'Never expires' },
  until: { zh: '有效期至', en: 'Valid until' },
  untilHelp: { zh: '过期后这个租户的用户不能登录', en: 'Users of this tenant cannot sign in after expiry' },
}

const { accountNumber, expireTime } = tenant.actions.setting.input
const fields = {
  accountNumber: { ...accountNumber, min: 1, required: true, help: undefined },
  expireTime: { ...expireTime, required: true, help: undefined },
}

type Quota = 'keep' | 'unlimited' | 'limited'
type Expiry = 'keep' | 'forever' | 'until'
type Choice = { quota: Quota; expiry: Expiry }

/** Returns the value of `key` if all rows have the same, else undefined. */
const common = (rows: Row[], key: keyof Row) =>
  rows.every((row) => row[key] === rows[0]![key]) ? rows[0]![key] : undefined

/** Returns the initial state of the form: "keep" where the rows differ. */
function startOf(rows: Row[]): { choice: Choice; values: { accountNumber: string; expireTime: string } } {
  const count = common(rows, 'accountNumber')
  const expires = common(rows, 'expireTime')
  return {
    choice: {
      quota: count === undefined ? 'keep' : Number(count) > 0 ? 'limited' : 'unlimited',
      expiry: expires === undefined ? 'keep' : expires ? 'until' : 'forever',
    },
    values: { accountNumber: Number(count) > 0 ? String(count) : '100', expireTime: String(expires ?? '') },
  }
}

/** Sets the account quota and expiry of tenants. */
export default function TenantQuotaPanel({ rows, onClose }: { rows: Row[]; onClose: (done: boolean) => void }) {
  const t = useLocalize()
  const [start] = useState(() => startOf(rows))
  const [choice, setChoice] = useState(start.choice)
  const layout: FormLayout = [
    { fields: ['accountNumber'], when: () => choice.quota === 'limited' },
    { fields: ['expireTime'], when: () => choice.expiry === 'until' },
  ]
  const form = useForm({ fields, mode: 'add', preset: start.values, layout })
  const isSeveral = rows.length > 1

  const save = async () => {
    if (!form.check()) throw new Error('a field says what is wrong')
    const sent = form.payload()
    const query = {
      ids: rows.map((row) => row.id),
      ...(choice.quota !== 'keep' && { accountNumber: choice.quota === 'limited' ? sent.accountNumber : -1 }),
      ...(choice.expiry !== 'keep' && { expireTime: choice.expiry === 'until' ? sent.expireTime : '' }),
    }
    await form.hold(() => apiPost(`${tenant.path}/setting`, { query }))
  }

  const part: PartProps = {
    form,
    choice,
    onChoose: (chosen) => setChoice((before) => ({ ...before, ...chosen })),
    isSeveral,
  }

  return (
    <SaveDrawer
      title={t(words.title)}
      subject={isSeveral ? undefined : String(rows[0]!.tenantName)}
      size={520}
      what={t(words.title)}
      isChanged={JSON.stringify(choice) !== JSON.stringify(start.choice) || form.changed.length > 0}
      save={save}
      onClose={onClose}
    >
      {isSeveral && (
        <Alert
          className="kit-note"
          type="warning"
          showIcon
          title={t(words.several, {
            count: rows.length,
            names: rows.map((row) => String(row.tenantName)).join(t(NAME_SEPARATOR)),
          })}
        />
      )}
      <div className="kit-form">
        <Accounts {...part} rows={rows} />
        <Valid {...part} />
      </div>
    </SaveDrawer>
  )
}

type PartProps = { form: FormState; choice: Choice; onChoose: (chosen: Partial<Choice>) => void; isSeveral: boolean }

function Accounts({ form, choice, onChoose, isSeveral, rows }: PartProps & { rows: Row[] }) {
  const t = useLocalize()
  const input = inputOf(form, 'accountNumber')
  return (
    <fieldset className="kit-choice" onBlur={() => form.look('accountNumber')}>
      <legend>{t(fields.accountNumber.label)}</legend>
      <Radio.Group value={choice.quota} onChange={(event) => onChoose({ quota: event.target.value as Quota })}>
        {isSeveral && <Radio value="keep">{t(words.keep)}</Radio>}
        <Radio value="unlimited">{t(words.unlimited)}</Radio>
        <span className="kit-choice-line">
          <Radio value="limited">{t(words.limited)}</Radio>
          <label htmlFor={input.id} className="kit-hidden">
            {t(fields.accountNumber.label)}
          </label>
          <span onFocus={() => onChoose({ quota: 'limited' })}>
            <NumberInput {...input} />
          </span>
          <span>{t(words.accounts)}</span>
        </span>
      </Radio.Group>
      <Wrong form={form} name="accountNumber" />
      {choice.quota === 'limited' && <Beyond rows={rows} quota={Number(form.values.accountNumber)} />}
    </fieldset>
  )
}

/** Warns of tenants that already have more accounts than the new quota. */
function Beyond({ rows, quota }: { rows: Row[]; quota: number }) {
  const t = useLocalize()
  const tenantIds = rows.map((row) => row.tenantId).join(',')
  const { data = [] } = useQuery({
    queryKey: ['tenant-accounts', tenantIds],
    queryFn: () =>
      apiGet<{ tenantId: string; count: number }[]>(`${tenant.path}/accounts`, { tenantIds }, { quiet: true }),
  })
  return data
    .filter(({ count }) => Number.isInteger(quota) && quota > 0 && count > quota)
    .map(({ tenantId, count }) => {
      const name = String(rows.find((row) => row.tenantId === tenantId)?.tenantName ?? tenantId)
      return <Alert key={tenantId} type="warning" showIcon title={t(words.beyond, { name, count })} />
    })
}

function Valid({ form, choice, onChoose, isSeveral }: PartProps) {
  const t = useLocalize()
  const input = inputOf(form, 'expireTime')
  return (
    <fieldset className="kit-choice">
      <legend>{t(fields.expireTime.label)}</legend>
      <Radio.Group value={choice.expiry} onChange={(event) => onChoose({ expiry: event.target.value as Expiry })}>
        {isSeveral && <Radio value="keep">{t(words.keep)}</Radio>}
        <Radio value="forever">{t(words.forever)}</Radio>
        <span className="kit-choice-line">
          <Radio value="until">{t(words.until)}</Radio>
          <DateInput
            {...input}
            onChange={(value) => {
              onChoose({ expiry: 'until' })
              input.onChange(value)
            }}
          />
        </span>
      </Radio.Group>
      <Wrong form={form} name="expireTime" />
      <div className="kit-help">{t(words.untilHelp)}</div>
    </fieldset>
  )
}

function inputOf(form: FormState, name: keyof typeof fields) {
  const id = formInputId(form.id, name)
  const invalid = !!form.errorOf(name)
  return {
    name,
    field: fields[name],
    value: form.values[name],
    values: form.values,
    onChange: (value: unknown) => form.set(name, value),
    id,
    disabled: false,
    invalid,
    describedBy: invalid ? `${id}-error` : undefined,
  }
}

function Wrong({ form, name }: { form: FormState; name: keyof typeof fields }) {
  const error = form.errorOf(name)
  if (!error) return null
  return (
    <div id={`${formInputId(form.id, name)}-error`} className="kit-error" role="alert">
      {error}
    </div>
  )
}
