import { Button, Segmented, Skeleton, Tag } from 'antd'
import { useState } from 'react'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import {
  useDeviceSimulationSnapshot,
  type DeviceSimulationSnapshot,
  type SimulatedDevice,
  type SimulatedFault,
} from './simulation-snapshot.ts'
import { SimulatedFaultPanel } from './simulated-faults.tsx'
import { PracticeTenantsPanel } from './practice-tenants.tsx'
import { words } from './simulation-words.ts'
import './simulation.css'

/**
 * Page for practice tenants and the faults of simulated devices. Only a server that runs the simulation has it in the
 * menu.
 */
export default function DeviceSimulationPage() {
  const t = useLocalize()
  const { data, isError, refetch } = useDeviceSimulationSnapshot()
  return (
    <div className="plain-page simulation">
      <h1>{t(words.title)}</h1>
      <p className="kit-quiet">{t(words.intro)}</p>
      {isError && !data ? (
        <p role="alert">
          {t(words.away)} <Button onClick={() => void refetch()}>{t(kit.retry)}</Button>
        </p>
      ) : data ? (
        <>
          <PracticeTenantsPanel practice={data.practice} onChanged={() => void refetch()} />
          <Devices devices={practiceFirst(data)} table={data.table} onChanged={refetch} />
        </>
      ) : (
        <Skeleton active paragraph={{ rows: 8 }} />
      )}
    </div>
  )
}

/** Sorts devices of practice tenants first, as those are the ones to break. */
const practiceFirst = ({ devices, practice }: DeviceSimulationSnapshot) => {
  const own = new Set(practice.map(({ tenantId }) => tenantId))
  return devices.toSorted((one, other) => Number(own.has(other.tenantId)) - Number(own.has(one.tenantId)))
}

type Props = { devices: SimulatedDevice[]; table: SimulatedFault[]; onChanged: () => Promise<unknown> }

function Devices({ devices, table, onChanged }: Props) {
  const t = useLocalize()
  const [which, setWhich] = useState('all')
  const [open, setOpen] = useState<string>()
  const broken = devices.filter(({ faults }) => Object.keys(faults).length > 0)
  const houses = Map.groupBy(which === 'all' ? devices : broken, ({ tenantId }) => tenantId)
  const device = devices.find(({ clientId }) => clientId === open)
  return (
    <section className="simulation-part">
      <header>
        <h2>{t(words.devices)}</h2>
        <Segmented
          value={which}
          onChange={setWhich}
          options={[
            { value: 'all', label: `${t(words.all)} ${devices.length}` },
            { value: 'broken', label: `${t(words.broken)} ${broken.length}` },
          ]}
        />
      </header>
      {!houses.size && <p className="kit-quiet">{t(words.nothing)}</p>}
      {[...houses].map(([tenantId, list]) => (
        <div key={tenantId}>
          <h3>
            {tenantId ? list[0]!.tenantName : t(words.platforms)} <small className="kit-quiet">{tenantId}</small>
          </h3>
          <ul className="simulation-list">
            {list.map((one) => (
              <DeviceRow key={one.clientId} device={one} table={table} onOpen={() => setOpen(one.clientId)} />
            ))}
          </ul>
        </div>
      ))}
      {device && (
        <SimulatedFaultPanel device={device} table={table} onChanged={onChanged} onClose={() => setOpen(undefined)} />
      )}
    </section>
  )
}

type OwnKind = keyof typeof words.kinds
const isOwn = (kind: SimulatedDevice['kind']): kind is OwnKind => Object.hasOwn(words.kinds, kind)

function DeviceRow({
  device,
  table,
  onOpen,
}: {
  device: SimulatedDevice
  table: SimulatedFault[]
  onOpen: () => void
}) {
  const t = useLocalize()
  const kind = t(isOwn(device.kind) ? words.kinds[device.kind] : words.platform)
  const labels = new Map(table.map(({ name, label }) => [name, label]))
  return (
    <li className="simulation-device">
      <div className="simulation-name">
        <strong>{device.name}</strong>
        <span className="kit-quiet">
          {[kind, device.shopName === device.name ? '' : device.shopName, device.clientId].filter(Boolean).join(' · ')}
        </span>
      </div>
      <span className="simulation-state" data-online={device.isOnline}>
        <i /> {t(device.isOnline ? words.online : words.offline)}
      </span>
      <span className="kit-tags">
        {Object.keys(device.faults).map((name) => (
          <Tag key={name} className="kit-tag" color="error">
            {labels.get(name)}
          </Tag>
        ))}
      </span>
      <Button icon={<Icon name="bug" />} aria-label={t(words.faultsOf, { name: device.name })} onClick={onOpen}>
        {t(words.faults)}
      </Button>
    </li>
  )
}
