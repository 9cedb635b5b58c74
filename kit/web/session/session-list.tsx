import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Skeleton, Tag } from 'antd'
import { useState } from 'react'
import { describeUserAgent } from './agent-words.ts'
import ConfirmDialog from '../parts/confirm-dialog.tsx'
import { Icon } from '../theme/icon.tsx'
import { useLocalize } from '../base/language.tsx'
import { ErrorNote, EmptyStateNote } from '../parts/states.tsx'
import { RelativeTime } from '../parts/relative-time.tsx'
import './session-list.css'

const words = {
  failed: { zh: '登录设备加载失败', en: 'The sessions could not be loaded' },
  none: { zh: '没有登录中的设备', en: 'No active sessions' },
  here: { zh: '当前设备', en: 'This device' },
  since: { zh: '登录于', en: 'signed in' },
  last: { zh: '最近使用', en: 'last used' },
  end: { zh: '下线', en: 'Sign out' },
  endOne: { zh: '结束会话', en: 'End session' },
  endText: {
    zh: '这台设备会马上退出登录，没保存的内容会丢失。',
    en: 'The device is signed out immediately. Unsaved changes are lost.',
  },
  endAll: { zh: '全部下线', en: 'Sign out all' },
  endOthers: { zh: '其他设备全部下线', en: 'Sign out all other devices' },
  unknown: { zh: '未知设备', en: 'Unknown device' },
}

export type SignedInSession = {
  sid: string
  clientId: string
  ip: string
  userAgent: string
  issuedAt: string
  lastSeen: string
  isCurrent: boolean
}

type Props = {
  /** Identifies the user whose sessions are listed, in the query cache. */
  name: string
  load: () => Promise<SignedInSession[]>
  /** Ends the session with this id; without one, all except the current one. */
  end: (sid?: string) => Promise<unknown>
}

const nameOf = ({ userAgent }: SignedInSession, unknown: string) => describeUserAgent(userAgent) || unknown

/** Lists where a user is signed in, with buttons to sign out there. */
export function SessionList({ name, load, end }: Props) {
  const t = useLocalize()
  const queries = useQueryClient()
  const key = ['open-sessions', name]
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: load, staleTime: 0, gcTime: 0 })
  const [asking, setAsking] = useState<SignedInSession[]>()
  if (error && !data) return <ErrorNote title={t(words.failed)} error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton active paragraph={{ rows: 4 }} />
  if (!data.length) return <EmptyStateNote icon="mobile" title={t(words.none)} />
  const others = data.filter(({ isCurrent }) => !isCurrent)
  const all = others.length === data.length ? words.endAll : words.endOthers
  return (
    <>
      <ul className="kit-sessions">
        {data.map((one) => (
          <SessionLine key={one.sid} one={one} onEnd={() => setAsking([one])} />
        ))}
      </ul>
      {others.length > 1 && (
        <Button danger onClick={() => setAsking(others)}>
          {t(all)}
        </Button>
      )}
      {asking && (
        <ConfirmDialog
          title={asking.length > 1 ? all : words.endOne}
          text={t(words.endText)}
          names={asking.map((one) => `${nameOf(one, t(words.unknown))} (${one.ip})`)}
          danger
          run={() => end(asking.length > 1 ? undefined : asking[0]!.sid)}
          onClose={(done) => {
            setAsking(undefined)
            if (done) void queries.invalidateQueries({ queryKey: key })
          }}
        />
      )}
    </>
  )
}

function SessionLine({ one, onEnd }: { one: SignedInSession; onEnd: () => void }) {
  const t = useLocalize()
  const name = nameOf(one, t(words.unknown))
  return (
    <li>
      <Icon name={/Android|iPhone|HarmonyOS|MicroMessenger/.test(one.userAgent) ? 'mobile' : 'desktop'} />
      <div>
        <strong>{name}</strong>{' '}
        {one.isCurrent && (
          <Tag className="kit-tag" color="success">
            {t(words.here)}
          </Tag>
        )}
        <p className="kit-quiet">
          {one.ip} · {t(words.last)} <RelativeTime at={one.lastSeen} /> · {t(words.since)}{' '}
          <RelativeTime at={one.issuedAt} full />
        </p>
      </div>
      {!one.isCurrent && (
        <Button size="small" danger onClick={onEnd} aria-label={`${t(words.end)} ${name} ${one.ip}`}>
          {t(words.end)}
        </Button>
      )}
    </li>
  )
}
