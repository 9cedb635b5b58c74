import { people } from './people.ts'

const escape = (text: string) => text.replace(/[<>&'"]/g, (c) => `&#${c.charCodeAt(0)};`)

/** The page on which a person chooses who to be and agrees; each choice is a plain link. */
export function consentPage(service: string, request: URL): string {
  const choose = (choice: string) => {
    const target = new URL(request)
    target.searchParams.set('login', choice)
    return escape(`${target.pathname}${target.search}`)
  }
  const rows = people.map(
    (person) => `<li><a href="${choose(person.login)}">${escape(person.name)} (${escape(person.login)})</a></li>`,
  )
  return `<!doctype html><html lang="zh"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(service)} 模拟登录</title>
<style>body{font:16px/1.6 system-ui;max-width:28rem;margin:10vh auto;padding:0 1rem}li{margin:.5rem 0}</style>
<h1>${escape(service)} · 模拟登录</h1>
<p>应用 ${escape(request.searchParams.get('client_id') ?? request.searchParams.get('appid') ?? '')} 请求获取您的基本资料，请选择身份：</p>
<ul>${rows.join('')}</ul><p><a href="${choose('')}">拒绝 Deny</a></p></html>`
}
