import { useLocalize } from '#kit/web/base/language.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import './shops.css'

const words = {
  on: { zh: '在线', en: 'Online' },
  off: { zh: '离线', en: 'Offline' },
  never: { zh: '从未在线', en: 'Never online' },
}

/** Shows whether something is online, by text, shape and colour, and when it was last heard from. */
export function OnlineState({ online, seen, full }: { online: boolean; seen?: string; full?: boolean }) {
  const t = useLocalize()
  const tip = online ? undefined : seen || t(words.never)
  return (
    <span className="shops-state" data-on={online} data-tip={tip}>
      <i aria-hidden />
      {t(online ? words.on : words.off)}
      {full && seen && !online && (
        <span className="kit-quiet">
          <RelativeTime at={seen} />
        </span>
      )}
    </span>
  )
}
