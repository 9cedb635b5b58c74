import { Button, Input, Select } from 'antd'
import type { ChangeEvent } from 'react'
import { jsonList } from '#kit/fields/json/json-list.ts'
import type { CellProps, InputProps } from '#kit/fields/web-kind.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import './merchants.css'

const words = {
  merchant: { zh: '商户号', en: 'Merchant ID' },
  person: { zh: '个人微信', en: 'Personal WeChat' },
  account: { zh: '账号', en: 'Account' },
  name: { zh: '名称', en: 'Name' },
  amount: { zh: '金额', en: 'Amount' },
  add: { zh: '添加接收方', en: 'Add receiver' },
  remove: { zh: '移除 {name}', en: 'Remove {name}' },
  kind: { zh: '类型', en: 'Type' },
} satisfies Record<string, LocalizedText>

type Receiver = { type: string; account: string; name: string; amount?: string; description?: string }

/** Cell with the receivers' names and amounts. */
export function ReceiversCell({ value }: CellProps) {
  return (
    <>
      {jsonList<Receiver>(value).map((one) => (
        <span key={one.account} className="merchant-receiver">
          {one.name || one.account}
          {one.amount && (
            <>
              {' '}
              <Money value={one.amount} />
            </>
          )}
        </span>
      ))}
    </>
  )
}

const inputOf = (withAmount: boolean) =>
  function ReceiversInput({ value, onChange, id, disabled, invalid, describedBy }: InputProps) {
    const t = useLocalize()
    const rows = jsonList<Receiver>(value)
    const set = (next: Receiver[]) => onChange(JSON.stringify(next))
    return (
      <div id={id} role="group" aria-describedby={describedBy} aria-invalid={invalid} className="merchant-receivers">
        {rows.map((one, at) => (
          <ReceiverRow
            key={at}
            one={one}
            withAmount={withAmount}
            disabled={disabled}
            onChange={(part) => set(rows.map((row, n) => (n === at ? { ...row, ...part } : row)))}
            onRemove={() => set(rows.filter((_row, n) => n !== at))}
          />
        ))}
        <Button
          disabled={disabled}
          icon={<Icon name="plus" />}
          onClick={() => set([...rows, { type: 'MERCHANT_ID', account: '', name: '' }])}
        >
          {t(words.add)}
        </Button>
      </div>
    )
  }

export const ReceiversInput = inputOf(false)
export const SharesInput = inputOf(true)

type RowProps = {
  one: Receiver
  withAmount: boolean
  disabled: boolean
  onChange: (part: Partial<Receiver>) => void
  onRemove: () => void
}

function ReceiverRow({ one, withAmount, disabled, onChange, onRemove }: RowProps) {
  const t = useLocalize()
  const text = (key: 'account' | 'name' | 'amount') => ({
    value: one[key],
    disabled,
    placeholder: t(words[key]),
    'aria-label': t(words[key]),
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange({ [key]: event.target.value }),
  })
  return (
    <div className="merchant-receivers-row">
      <Select
        value={one.type}
        disabled={disabled}
        aria-label={t(words.kind)}
        onChange={(type) => onChange({ type })}
        options={[
          { value: 'MERCHANT_ID', label: t(words.merchant) },
          { value: 'PERSONAL_OPENID', label: t(words.person) },
        ]}
      />
      <Input {...text('account')} />
      <Input {...text('name')} />
      {withAmount && <Input {...text('amount')} inputMode="decimal" prefix="¥" />}
      <Button
        type="text"
        disabled={disabled}
        icon={<Icon name="delete" />}
        aria-label={t(words.remove, { name: one.name || one.account })}
        onClick={onRemove}
      />
    </div>
  )
}
