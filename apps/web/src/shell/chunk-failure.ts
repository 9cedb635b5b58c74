import { localizeForUser } from '#kit/web/base/language.tsx'
import { probeServerNow, onConnectivityChange } from '#kit/web/http/connectivity.ts'
import { addToErrorLog } from './error-log.ts'

const words = {
  title: { zh: '页面没有加载完整', en: 'The page did not load completely' },
  why: {
    zh: '可能是网络中断，或者系统刚刚更新过。刷新页面即可继续。',
    en: 'The network may have dropped or the system was just updated. Reload to continue.',
  },
  reload: { zh: '刷新页面', en: 'Reload page' },
  lost: { zh: '连接已断开', en: 'Connection lost' },
  waiting: { zh: '恢复后会自动继续加载。', en: 'Loading continues automatically when the connection is back.' },
  now: { zh: '立即重试', en: 'Retry now' },
}

/** Shows a message in plain HTML, since no component is loaded yet; returns its element. */
function showMessage(heading: string, text: string, act: string, go: () => void) {
  const box = document.createElement('div')
  box.className = 'chunk-failure'
  box.setAttribute('role', 'alert')
  const title = document.createElement('h1')
  title.textContent = heading
  const why = document.createElement('p')
  why.textContent = text
  const button = document.createElement('button')
  button.textContent = act
  button.addEventListener('click', go)
  box.append(title, why, button)
  document.body.append(box)
  return box
}

/** Shows that the shell could not be loaded although the server answers, with a button to reload. */
export function showShellLoadFailure(reason: unknown) {
  addToErrorLog(reason, 'shell')
  showMessage(localizeForUser(words.title), localizeForUser(words.why), localizeForUser(words.reload), () =>
    location.reload(),
  )
}

/** Shows a message whenever the connection is lost while the shell loads. Returns a function to stop. */
export function showConnectionLostNotice() {
  let box: HTMLElement | undefined
  const hide = () => {
    box?.remove()
    box = undefined
  }
  const stop = onConnectivityChange((line) => {
    hide()
    if (line === 'lost')
      box = showMessage(
        localizeForUser(words.lost),
        localizeForUser(words.waiting),
        localizeForUser(words.now),
        probeServerNow,
      )
  })
  return () => {
    stop()
    hide()
  }
}
