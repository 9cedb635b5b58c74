import { useEffect, useState } from 'react'
import { Icon } from '#kit/web/theme/icon.tsx'
import { probeServerNow, onConnectivityChange, useConnectivity } from '#kit/web/http/connectivity.ts'
import { useShellTranslation } from '../words/index.ts'

const BACK_MS = 4000

/** Banner shown while the server does not answer, and for a moment when it answers again. */
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
  // The element always exists, because screen readers only announce changes inside it.
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
