import { useQuery } from '@tanstack/react-query'
import { Progress, Segmented } from 'antd'
import { useState } from 'react'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import './fleet.css'
import { rollout } from './rollout.resource.ts'
import { changedTopicOf } from '#kit/resource/index.ts'

const words = {
  intro: {
    zh: '把程序分批升级到门店设备：先行门店，再按比例放开；一批失败过多自动停止',
    en:
      'Roll out programs to store devices in stages: canary stores first, then by percentage. Too many ' +
      'failures stop it automatically.',
  },
  board: { zh: '设备版本分布', en: 'Version distribution' },
  gateway: { zh: '网关', en: 'Gateways' },
  register: { zh: '收银机', en: 'Registers' },
  never: { zh: '从未上报', en: 'Never reported' },
  newest: { zh: '最新', en: 'newest' },
  counts: { zh: '{devices} 台，在线 {online}', en: '{devices} {devices|device|devices}, {online} online' },
  nobody: { zh: '没有设备', en: 'No devices' },
  wave: { zh: '第 {wave} 批', en: 'Stage {wave}' },
  standing: {
    zh: '成功 {done}，失败 {failed}，升级中 {asked}，等待 {waiting}，取消 {canceled}',
    en: '{done} completed, {failed} failed, {asked} upgrading, {waiting} waiting, {canceled} canceled',
  },
}

type Board = { newest: string; versions: { version: string; devices: number; online: number }[] }
type Wave = Record<'wave' | 'total' | 'waiting' | 'asked' | 'done' | 'failed' | 'canceled', number>

/** Number of devices per program version; outdated versions stand out. */
function FleetBoard() {
  const t = useLocalize()
  const [module, setModule] = useState('gateway')
  const { data, refetch } = useQuery({
    queryKey: ['list', rollout.name, 'board', module],
    queryFn: () => apiGet<Board>(`${rollout.path}/board`, { module }),
  })
  useLiveRefetch(changedTopicOf('rollout'), refetch)
  const sum = (data?.versions ?? []).reduce((all, one) => all + one.devices, 0)

  return (
    <section className="fleet-board">
      <h3>{t(words.board)}</h3>
      <div>
        <Segmented
          aria-label={t(words.board)}
          value={module}
          onChange={setModule}
          options={[
            { value: 'gateway', label: t(words.gateway) },
            { value: 'register', label: t(words.register) },
          ]}
        />
      </div>
      {data && !sum && <p className="kit-quiet">{t(words.nobody)}</p>}
      <ul>
        {(data?.versions ?? []).map(({ version, devices, online }) => (
          <li key={version}>
            <span className="kit-number">
              {version || t(words.never)} {version && version === data?.newest ? `(${t(words.newest)})` : ''}
            </span>
            <Progress
              percent={Math.round((devices / sum) * 100)}
              size="small"
              showInfo={false}
              aria-label={version || t(words.never)}
            />
            <span className="kit-quiet">{t(words.counts, { devices, online })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Progress of each wave of a rollout, updated live. */
function Waves({ id }: { id: string }) {
  const t = useLocalize()
  const language = useLanguage()
  const { data, refetch } = useQuery({
    queryKey: ['detail', rollout.name, language, 'waves', id],
    queryFn: () => apiGet<{ waves: Wave[] }>(`${rollout.path}/progress`, { id }),
  })
  useLiveRefetch(changedTopicOf('rollout'), refetch)
  return (
    <section className="fleet-board">
      {(data?.waves ?? []).map((wave) => (
        <div key={wave.wave}>
          <strong>{t(words.wave, { wave: wave.wave })}</strong>
          <Progress
            percent={Math.round(((wave.done + wave.failed) / wave.total) * 100)}
            success={{ percent: Math.round((wave.done / wave.total) * 100) }}
            size="small"
            status={wave.failed ? 'exception' : 'normal'}
            aria-label={t(words.wave, { wave: wave.wave })}
          />
          <p className="kit-quiet">{t(words.standing, wave)}</p>
        </div>
      ))}
    </section>
  )
}

/** List of rollouts, with the fleet's versions above. */
export default function RolloutPage() {
  return (
    <ResourcePage
      resource={rollout}
      page={{ intro: words.intro, head: () => <FleetBoard />, beside: (row) => <Waves id={String(row.id)} /> }}
    />
  )
}
