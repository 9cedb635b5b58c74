import type { WireRow } from '#kit/resource/index.ts'
import { useQuery } from '@tanstack/react-query'
import { Input, Tabs } from 'antd'
import { useState } from 'react'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import { SaveDrawer } from '#kit/web/detail/task-drawer.tsx'
import { user } from './user.resource.ts'

type Row = WireRow<typeof user>

const words = {
  title: { zh: '平台信息', en: 'Platform data' },
  ext: { zh: '扩展信息', en: 'Extension' },
  hint: {
    zh: '这个平台自用的内容，原样保存。保存后，用户的平台随所选标签改变。',
    en:
      'Content used by this platform, stored as is. After saving, the platform of the user changes to ' +
      'the selected tab.',
  },
}

/** Edits a user's properties that are specific to a user type (platform). */
export default function UserPlatformPanel({ row, onClose }: { row: Row; onClose: (done: boolean) => void }) {
  const t = useLocalize()
  const { choices, isPending: isWaiting } = useDictionary('user_type')
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['platform-detail', row.id],
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    queryFn: () =>
      apiGet<{ userType: number; userExt: string }>(`${user.path}/platform-detail`, { id: row.id }, { quiet: true }),
  })

  const [tab, setTab] = useState<string>()
  const [texts, setTexts] = useState<Record<string, string>>({})
  const stored = String(data?.userType ?? 1)
  const platform = tab ?? stored
  const textOf = (key: string) => texts[key] ?? (key === stored ? (data?.userExt ?? '') : '')

  return (
    <SaveDrawer
      title={t(words.title)}
      subject={String(row.realName || row.account)}
      size={560}
      what={t(words.title)}
      isChanged={platform !== stored || textOf(platform) !== (data?.userExt ?? '')}
      save={async () => {
        await apiPost(`${user.path}/update-platform`, {
          query: { userId: row.id, userType: platform, userExt: textOf(platform) },
        })
      }}
      onClose={onClose}
      isPending={isPending || isWaiting}
      error={error}
      retry={() => void refetch()}
    >
      <Tabs
        activeKey={platform}
        onChange={setTab}
        items={choices.map(({ key, label }) => ({
          key,
          label,
          children: (
            <div className="kit-field">
              <label htmlFor={`ext-${key}`}>{t(words.ext)}</label>
              <Input.TextArea
                id={`ext-${key}`}
                className="kit-mono"
                autoSize={{ minRows: 8, maxRows: 20 }}
                value={textOf(key)}
                spellCheck={false}
                onChange={(event) => setTexts({ ...texts, [key]: event.target.value })}
              />
              <div className="kit-help">{t(words.hint)}</div>
            </div>
          ),
        }))}
      />
    </SaveDrawer>
  )
}
