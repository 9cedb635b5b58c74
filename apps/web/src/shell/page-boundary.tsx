import { Component, type ErrorInfo, type ReactNode } from 'react'
import { ChunkLoadError } from '#kit/web/http/chunks.ts'
import { ApiError } from '#kit/web/http/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { t } from '../words/index.ts'
import { addToErrorLog } from './error-log.ts'

type Props = { onRetry: () => void; children: ReactNode }

/** Catches errors of one page: shows them in its tab, records them, and offers to retry or reload. */
export class PageErrorBoundary extends Component<Props, { reason: unknown }> {
  override state = { reason: undefined as unknown }

  static getDerivedStateFromError(reason: unknown) {
    return { reason: reason ?? new Error('unknown') }
  }

  override componentDidCatch(reason: unknown, info: ErrorInfo) {
    addToErrorLog(reason, info.componentStack ?? '')
  }

  override render() {
    const { reason } = this.state
    if (reason === undefined) return this.props.children
    const chunk = reason instanceof ChunkLoadError
    const message = reason instanceof Error ? reason.message : String(reason)
    return (
      <div className="state" role="alert">
        <Icon name="frown" className="state-icon" />
        <p className="state-title">{t(chunk ? 'page.chunk' : 'page.broken')}</p>
        <p>{t(chunk ? 'page.chunk.why' : 'page.broken.why')}</p>
        {!(reason instanceof ApiError) && <code>{chunk ? reason.code : message}</code>}
        <div className="state-foot">
          {chunk && (
            <button type="button" className="solid-button" onClick={() => location.reload()}>
              {t('reload')}
            </button>
          )}
          <button type="button" className={chunk ? 'plain-button' : 'solid-button'} onClick={this.props.onRetry}>
            {t('retry')}
          </button>
        </div>
      </div>
    )
  }
}
