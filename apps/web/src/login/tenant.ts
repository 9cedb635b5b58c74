import { useEffect, useState } from 'react'
import { apiGet } from '#kit/web/http/http.ts'
import { webSettings } from '#kit/web/base/settings.ts'

type TenantInfo = { tenantId?: string; backgroundUrl?: string }
type TenantByDomain = { known: boolean; id: string | undefined; background: string | undefined }

/** Finds the tenant whose own domain this page has been opened at; `id` is undefined if there is none. */
export function useTenantByDomain(): TenantByDomain {
  const [found, setFound] = useState<TenantByDomain>({
    known: !webSettings.tenantMode,
    id: undefined,
    background: undefined,
  })
  useEffect(() => {
    if (!webSettings.tenantMode) return
    let gone = false
    void apiGet<TenantInfo>('/api/blade-system/tenant/info', { domain: location.origin }, { quiet: true, token: false })
      .catch((): TenantInfo => ({}))
      .then((info) => {
        const background = /^(https?:|\/)/.test(info.backgroundUrl ?? '') ? info.backgroundUrl : undefined
        if (!gone) setFound({ known: true, id: info.tenantId || undefined, background })
      })
    return () => {
      gone = true
    }
  }, [])
  return found
}
