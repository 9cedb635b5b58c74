import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '#kit/web/http/call.ts'
import type { CallAnswerOf } from '#kit/resource/index.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { toast } from '#kit/web/base/toast.ts'
import { noticeSubscribeMineCall, mineSaveCall } from './notice-subscribe.calls.ts'

const words = {
  saved: { zh: '已保存', en: 'Saved' },
}

type Mine = CallAnswerOf<typeof noticeSubscribeMineCall>
const KEY = ['own-subscriptions']

export type MyNoticeSettings = ReturnType<typeof useMyNoticeSettings>

/** Hook for the user's own notification settings, saved and edited. */
export function useMyNoticeSettings() {
  const t = useLocalize()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: () => callApi(noticeSubscribeMineCall, {}, { quiet: true }),
  })

  const [changed, setChanged] = useState<Mine>()
  const [isSaving, setSaving] = useState(false)
  const now = changed ?? data
  const set = (patch: Partial<Mine>) => now && setChanged({ ...now, ...patch })

  return {
    now,
    error,
    again: () => void refetch(),
    isChanged: !!changed,
    isSaving,
    set,
    has: (type: string, channel: string) => now?.cells[type]?.includes(channel) ?? false,
    put: (types: readonly string[], channel: string, isOn: boolean) =>
      set({
        cells: {
          ...now?.cells,
          ...Object.fromEntries(
            types.map((type) => [
              type,
              [...(now?.cells[type] ?? []).filter((one) => one !== channel), ...(isOn ? [channel] : [])],
            ]),
          ),
        },
      }),
    save: async () => {
      if (!now) return
      setSaving(true)
      try {
        const saved = await callApi(mineSaveCall, now)
        client.setQueryData(KEY, saved)
        setChanged(undefined)
        toast.success(t(words.saved))
      } finally {
        setSaving(false)
      }
    },
  }
}
