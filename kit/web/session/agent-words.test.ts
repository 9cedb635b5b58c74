import { expect, test } from 'vitest'
import { describeUserAgent } from './agent-words.ts'

test(
  'a user agent reads as browser and system, a stranger’s as it is, and never ' + 'as the browser it descends from',
  () => {
    expect(
      [
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 ' +
          'Safari/537.36 Edg/140.0.0.0',
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
          'Version/18.0 Mobile/15E148 Safari/604.1',
        'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0 Mobile ' +
          'Safari/537.36 MicroMessenger/8.0',
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
        'curl/8.5.0',
        '',
      ].map(describeUserAgent),
    ).toEqual(['Edge · Windows', 'Safari · iPhone', '微信 WeChat · Android', 'Firefox · macOS', 'curl/8.5.0', ''])
  },
)
