import { Button, InputNumber, Select, Switch } from 'antd'
import { useState } from 'react'
import { apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Drawer } from '#kit/web/parts/drawer.tsx'
import type { SimulatedDevice, SimulatedFault } from './simulation-snapshot.ts'
import { words } from './simulation-words.ts'

type Props = {
  device: SimulatedDevice
  table: SimulatedFault[]
  onChanged: () => Promise<unknown>
  onClose: () => void
}

/** Drawer to switch the simulated faults of a device on and off. */
export function SimulatedFaultPanel({ device, table, onChanged, onClose }: Props) {
  const t = useLocalize()
  const set = async (faults: Record<string, unknown>) => {
    try {
      await apiPost('/api/street/faults', { body: { clientIds: [device.clientId], faults } })
      await onChanged()
    } catch {
      // The error was shown as a toast.
    }
  }
  const clear = () => set(Object.fromEntries(Object.keys(device.faults).map((name) => [name, null])))
  return (
    <Drawer
      open
      size={420}
      title={t(words.faultsOf, { name: device.name })}
      onClose={onClose}
      extra={
        <Button disabled={!Object.keys(device.faults).length} onClick={() => void clear()}>
          {t(words.clear)}
        </Button>
      }
    >
      <ul className="simulation-faults">
        {table
          .filter(({ of }) => of.includes(device.kind))
          .map((fault) => (
            <li key={fault.name}>
              <FaultRow fault={fault} value={device.faults[fault.name]} set={(value) => set({ [fault.name]: value })} />
            </li>
          ))}
      </ul>
    </Drawer>
  )
}

type RowProps = { fault: SimulatedFault; value: unknown; set: (value: unknown) => Promise<void> }

function FaultRow({ fault, value, set }: RowProps) {
  const t = useLocalize()
  const [isBusy, setBusy] = useState(false)
  const [amount, setAmount] = useState<number | null>(null)
  const isOn = value !== undefined
  const shown = amount ?? (typeof value === 'number' ? value : fault.form === 'number' ? fault.usual : 0)
  const change = async (next: unknown) => {
    setBusy(true)
    await set(next)
    setBusy(false)
  }

  return (
    <>
      <span id={`fault-${fault.name}`}>
        {fault.label} <small className="kit-quiet">{fault.name}</small>
      </span>
      {fault.form === 'number' && (
        <span className="simulation-amount">
          <InputNumber
            aria-labelledby={`fault-${fault.name}`}
            size="small"
            max={fault.max}
            step={fault.max === 1 ? 0.1 : undefined}
            value={shown}
            disabled={isOn}
            onChange={setAmount}
          />
          {fault.unit}
        </span>
      )}
      {fault.form === 'word' ? (
        <Select
          aria-labelledby={`fault-${fault.name}`}
          size="small"
          className="simulation-word"
          loading={isBusy}
          value={isOn ? String(value) : ''}
          onChange={(key) => void change(key || null)}
          options={[
            { value: '', label: t(words.good) },
            ...fault.words.map(({ key, label }) => ({ value: key, label })),
          ]}
        />
      ) : fault.once ? (
        <Button size="small" loading={isBusy} onClick={() => void change(shown)}>
          {t(words.doOnce)}
        </Button>
      ) : (
        <Switch
          aria-labelledby={`fault-${fault.name}`}
          loading={isBusy}
          checked={isOn}
          onChange={(on) => void change(on ? (fault.form === 'number' ? shown : true) : null)}
        />
      )}
    </>
  )
}
