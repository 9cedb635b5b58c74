import { BETWEEN_NAMES } from '#kit/resource/words.ts'
import type { WireRow } from '#kit/resource/index.ts'
import { Alert, InputNumber, Radio } from 'antd'
import { useId, useState } from 'react'
import DateInput from '#kit/fields/date/date-input.web.tsx'
import { post } from '#kit/web/http.ts'
import { useSay } from '#kit/web/language.tsx'
import { WorkDrawer } from '#kit/web/detail/work-drawer.tsx'
import { tenant } from './tenant.resource.ts'

type Row = WireRow<typeof tenant>

const words = {
  title: { zh: '授权配置', en: 'Quota and expiry' },
  several: { zh: '将同时修改 {count} 个租户：{names}', en: 'Changes {count} {count|tenant|tenants} at once: {names}' },
  keep: { zh: '保持不变', en: 'Leave as it is' },
  unlimited: { zh: '不限', en: 'No limit' },
  limited: { zh: '最多', en: 'At most' },
  accounts: { zh: '个账号', en: 'accounts' },
  forever: { zh: '永久有效', en: 'Never expires' },
  until: { zh: '有效期至', en: 'Valid until' },
  untilHelp: { zh: '过期后该租户的用户不能登录', en: 'After that its users cannot sign in' },
}

type Quota = 'keep' | 'unlimited' | 'limited'
type Expiry = 'keep' | 'forever' | 'until'

/** What all rows have in common, if anything. */
const common = (rows: Row[], key: keyof Row) =>
  rows.every((row) => row[key] === rows[0]![key]) ? rows[0]![key] : undefined

/** What stands in the form before it is touched. */
function startOf(rows: Row[]): Now {
  const accounts = common(rows, 'accountNumber')
  const expires = common(rows, 'expireTime')
  return {
    quota: accounts === undefined ? 'keep' : Number(accounts) > 0 ? 'limited' : 'unlimited',
    count: Number(accounts) > 0 ? Number(accounts) : 100,
    expiry: expires === undefined ? 'keep' : expires ? 'until' : 'forever',
    until: String(expires ?? ''),
  }
}

type Now = { quota: Quota; count: number; expiry: Expiry; until: string }

/** How many accounts tenants may have and until when they may work. */
export default function QuotaPanel({ rows, onClose }: { rows: Row[]; onClose: (done: boolean) => void }) {
  const say = useSay()
  const [now, setNow] = useState(() => startOf(rows))
  const set = (change: Partial<Now>) => setNow((before) => ({ ...before, ...change }))
  const isSeveral = rows.length > 1
  const isChanged = JSON.stringify(now) !== JSON.stringify(startOf(rows))
  const isComplete = (now.expiry !== 'until' || now.until !== '') && (now.quota !== 'limited' || now.count > 0)
  const save = async () => {
    const query = {
      ids: rows.map((row) => row.id),
      ...(now.quota !== 'keep' && { accountNumber: now.quota === 'limited' ? now.count : -1 }),
      ...(now.expiry !== 'keep' && { expireTime: now.expiry === 'until' ? now.until : '' }),
    }
    await post(`${tenant.path}/setting`, { query })
  }
  return (
    <WorkDrawer
      title={say(words.title)}
      subject={isSeveral ? undefined : String(rows[0]!.tenantName)}
      size={520}
      what={say(words.title)}
      isChanged={isChanged && isComplete}
      save={save}
      onClose={onClose}
    >
      {isSeveral && (
        <Alert
          className="kit-note"
          type="warning"
          showIcon
          title={say(words.several, {
            count: rows.length,
            names: rows.map((row) => String(row.tenantName)).join(say(BETWEEN_NAMES)),
          })}
        />
      )}
      <div className="kit-form">
        <Accounts now={now} onChange={set} isSeveral={isSeveral} />
        <Valid now={now} onChange={set} isSeveral={isSeveral} />
      </div>
    </WorkDrawer>
  )
}

type PartProps = { now: Now; onChange: (change: Partial<Now>) => void; isSeveral: boolean }

function Accounts({ now, onChange, isSeveral }: PartProps) {
  const say = useSay()
  return (
    <fieldset className="kit-choice">
      <legend>{say(tenant.fields.accountNumber.label)}</legend>
      <Radio.Group value={now.quota} onChange={(event) => onChange({ quota: event.target.value as Quota })}>
        {isSeveral && <Radio value="keep">{say(words.keep)}</Radio>}
        <Radio value="unlimited">{say(words.unlimited)}</Radio>
        <span className="kit-choice-line">
          <Radio value="limited">{say(words.limited)}</Radio>
          <InputNumber
            min={1}
            max={1_000_000}
            precision={0}
            value={now.count}
            aria-label={say(tenant.fields.accountNumber.label)}
            onFocus={() => onChange({ quota: 'limited' })}
            onChange={(count) => onChange({ quota: 'limited', count: count ?? 0 })}
          />
          <span>{say(words.accounts)}</span>
        </span>
      </Radio.Group>
    </fieldset>
  )
}

function Valid({ now, onChange, isSeveral }: PartProps) {
  const say = useSay()
  const id = useId()
  return (
    <fieldset className="kit-choice">
      <legend>{say(tenant.fields.expireTime.label)}</legend>
      <Radio.Group value={now.expiry} onChange={(event) => onChange({ expiry: event.target.value as Expiry })}>
        {isSeveral && <Radio value="keep">{say(words.keep)}</Radio>}
        <Radio value="forever">{say(words.forever)}</Radio>
        <span className="kit-choice-line">
          <Radio value="until">{say(words.until)}</Radio>
          <DateInput
            name="expireTime"
            field={tenant.fields.expireTime}
            value={now.until}
            values={{}}
            id={`${id}-until`}
            disabled={false}
            invalid={now.expiry === 'until' && !now.until}
            onChange={(value) => onChange({ expiry: 'until', until: String(value ?? '') })}
          />
        </span>
      </Radio.Group>
      <div className="kit-help">{say(words.untilHelp)}</div>
    </fieldset>
  )
}
