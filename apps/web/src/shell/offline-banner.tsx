import { useEffect, useState } from 'react'
import { Icon } from '#kit/web/theme/icon.tsx'
import { probeServerNow, onConnectivityChange, useConnectivity } from '#kit/web/live/connectivity.ts'
import { useShellTranslation } from '../words/index.ts'

const BACK_MS = 4000

/** Says that the server does not answer, for as long as it does not, and for a moment that it does again. */
export function OfflineBanner() {
  const t = useShellTranslation()
  const line = useConnectivity()
  const [back, setBack] = useState(false)
  useEffect(() => onConnectivityChange((now) => setBack(now === 'up')), [])
  useEffect(() => {
    if (!back) return
    const timer = setTimeout(() => setBack(false), BACK_MS)
    return () => clearTimeout(timer)
  }, [back])
  // The region is always there: what appears in it is read aloud.
  return (
    <div className="line-bar" role="status" data-line={line === 'lost' ? 'lost' : back ? 'back' : undefined}>
      {line === 'lost' && (
        <>
          <Icon name="disconnect" />
          <span>{t('line.lost')}</span>
          <button type="button" onClick={probeServerNow}>
            {t('line.now')}
          </button>
        </>
      )}
      {line === 'up' && back && (
        <>
          <Icon name="check-circle" />
          <span>{t('line.back')}</span>
        </>
      )}
    </div>
  )
}
