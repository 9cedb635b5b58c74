import { Button, Input, Modal } from 'antd'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { isPersonalField } from '#kit/fields/base/masks.ts'
import { PERSONAL_REASON_LENGTH, isMeaningfulReason } from '#kit/fields/personal-reason.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import type { UntypedRow } from '../row/form-values.ts'
import { apiGet, apiPost } from '../http/http.ts'
import { useLocalize } from '../base/language.tsx'
import { useHasPermission } from '../session/can.ts'
import { Icon } from '../theme/icon.tsx'

const words = {
  hidden: { zh: '个人信息已隐藏', en: 'Personal data is hidden' },
  open: { zh: '打开个人信息', en: 'Reveal personal data' },
  opened: {
    zh: '个人信息已打开，剩余 {minutes} 分钟',
    en: 'Personal data is visible for {minutes} more {minutes|minute|minutes}',
  },
  why: { zh: '为什么要看？', en: 'Why do you need it?' },
  length: {
    zh: '至少 {min} 个字，说清用途，如“来电核对号码”',
    en: 'At least {min} {min|character|characters} with the purpose, for example, “caller asks about a number”',
  },
  note: {
    zh: '谁在什么时候、为什么看，都会记录，租户管理员能看到',
    en: 'Your name, the time and the reason are logged. Tenant administrators can see them.',
  },
}

const TICK_MS = 15_000

type Opened = { until: string; values: UntypedRow }

/**
 * Returns the row with its personal data unmasked while this user has it revealed, and the bar with which they reveal
 * it. Returns the row itself and no bar if nothing is masked or the user may not reveal it.
 */
export function usePersonalDataReveal<R extends UntypedRow>(
  resource: Resource<any, any>,
  row: R,
): { row: R; bar: React.ReactNode } {
  const fields = Object.values<Field>(resource.fields)
  const isHiding = fields.some((field) => isPersonalField(field) && !field.computed)
  const mayOpen = useHasPermission(`${resource.code}_open`) && isHiding
  const path = `/api/kit/personal/${resource.name}`
  const client = useQueryClient()
  const key = ['personal', resource.name, row.id]
  const { data } = useQuery({
    queryKey: key,
    queryFn: () => apiGet<Opened>(path, { id: row.id }, { quiet: true }),
    enabled: mayOpen,
    staleTime: Infinity,
    gcTime: 0,
  })
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!data?.until) return undefined
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [data])
  if (!mayOpen) return { row, bar: null }
  const left = data?.until ? Date.parse(data.until) - now : 0
  const isOpen = data && left > 0
  return {
    row: isOpen ? { ...row, ...data.values } : row,
    bar: (
      <PersonalBar
        minutes={isOpen ? Math.ceil(left / 60_000) : 0}
        open={async (reason) => {
          const opened = await apiPost<Opened>(path, { body: { id: row.id, reason } })
          setNow(Date.now())
          client.setQueryData(key, opened)
        }}
      />
    ),
  }
}

function PersonalBar({ minutes, open }: { minutes: number; open: (reason: string) => Promise<void> }) {
  const t = useLocalize()
  const [reason, setReason] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const isEnough = isMeaningfulReason((reason ?? '').trim())
  const lengthId = useId()

  const ask = async () => {
    if (!isEnough) return
    setAsking(true)
    await open(reason!.trim()).then(
      () => setReason(undefined),
      () => {},
    )
    setAsking(false)
  }

  return (
    <p className="kit-personal" role="status">
      <Icon name={minutes ? 'unlock' : 'lock'} /> {minutes ? t(words.opened, { minutes }) : t(words.hidden)}
      {!minutes && (
        <Button size="small" onClick={() => setReason('')}>
          {t(words.open)}
        </Button>
      )}
      <Modal
        open={reason !== undefined}
        title={t(words.open)}
        okText={t(words.open)}
        okButtonProps={{ disabled: !isEnough, loading: isAsking }}
        onOk={() => void ask()}
        onCancel={() => setReason(undefined)}
        destroyOnHidden
      >
        <label className="kit-personal-why">
          {t(words.why)}
          <Input
            value={reason}
            maxLength={PERSONAL_REASON_LENGTH.max}
            showCount
            aria-describedby={lengthId}
            onChange={(event) => setReason(event.target.value)}
            onPressEnter={() => void ask()}
          />
        </label>
        <p id={lengthId} className="kit-help">
          {t(words.length, { min: PERSONAL_REASON_LENGTH.min })}
        </p>
        <p className="kit-quiet">{t(words.note)}</p>
      </Modal>
    </p>
  )
}
