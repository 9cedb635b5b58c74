import { say } from '#kit/web/language.tsx'
import { logError } from './error-log.ts'

const words = {
  title: { zh: '页面没有加载完整', en: 'The page did not load completely' },
  why: {
    zh: '可能是网络中断，或者系统刚刚更新过。刷新页面即可继续。',
    en: 'The network may have dropped, or the system was just updated. Reload to continue.',
  },
  reload: { zh: '刷新页面', en: 'Reload page' },
}

/** When not even the shell can be fetched there is no component to say so with. */
export function showChunkFailure(reason: unknown) {
  logError(reason, 'shell')
  const box = document.createElement('div')
  box.className = 'chunk-failure'
  box.setAttribute('role', 'alert')
  const title = document.createElement('h1')
  title.textContent = say(words.title)
  const why = document.createElement('p')
  why.textContent = say(words.why)
  const button = document.createElement('button')
  button.textContent = say(words.reload)
  button.addEventListener('click', () => location.reload())
  box.append(title, why, button)
  document.body.append(box)
}
