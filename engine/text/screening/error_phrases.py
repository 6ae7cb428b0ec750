"""Lists phrases of error pages with status 200, by language (requirements 85, 307).

Each phrase in lower case, with straight apostrophes, as short as it is still unmistakable, slashes between.
"""

from collections.abc import Mapping, Sequence

from engine.model import Flag


def _phrases(text: str) -> tuple[str, ...]:
    lines = filter(None, text.split("\n"))
    return tuple(phrase.strip() for line in lines for phrase in line.split(" / ") if phrase.strip())


_LACKING = """
    browser does not support / browser doesn't support / browser cannot display frames
    browser can't display frames / browser does not display frames / browser that supports frames
    browser which supports frames / browser capable of displaying frames / browser is not supported
    frames-capable browser / page uses frames / using an outdated browser / upgrade your browser
    update your browser / your browser is out of date / ihr browser unterstützt
    dein browser unterstützt / browser kann leider keine / browser kann keine frames
    browser, der frames unterstützt / votre navigateur ne supporte pas
    votre navigateur ne prend pas en charge / votre navigateur ne gère pas
    mettre à jour votre navigateur / su navegador no soporta / tu navegador no soporta
    su navegador no admite / tu navegador no admite / actualice su navegador
    actualiza tu navegador / przeglądarka nie obsługuje / przeglądarka nie wspiera
    zaktualizuj przeglądarkę
    браузер не поддерживает / браузер не отображает / обновите браузер / устаревший браузер
    مرورگر شما از فریم / مرورگر شما پشتیبانی نمی / مرورگر شما از این / مرورگر خود را به روز
    浏览器不支持 / 瀏覽器不支援 / 升级您的浏览器 / 升级浏览器 / 浏览器版本过低
"""
"""What a browser lacks: frames, or its last ten years."""

_SCRIPTS = """
    please enable javascript / need to enable javascript / must enable javascript
    enable javascript in your browser / enable javascript and cookies / enable javascript to
    javascript must be enabled / javascript is required / javascript is disabled
    javascript is not enabled / turn on javascript / page requires javascript
    site requires javascript / application requires javascript / javascript aktivieren
    aktivieren sie javascript / aktiviere javascript / javascript ist deaktiviert
    javascript muss aktiviert / activer javascript / activez javascript / javascript est désactivé
    habilitar javascript / habilite javascript / activar javascript / active javascript
    javascript está desactivado / javascript está deshabilitado / włącz javascript
    włącz obsługę javascript / włączyć obsługę javascript / javascript jest wyłączony
    включите javascript / включить javascript / включите поддержку javascript / javascript отключен
    جاوا اسکریپت را فعال / جاوااسکریپت را فعال / javascript را فعال
    启用javascript / 启用 javascript / 开启javascript / 开启 javascript / 啟用javascript / 啟用 javascript
"""
"""Scripts are switched off."""

_COOKIES = """
    please enable cookies / cookies must be enabled / must enable cookies / cookies are disabled
    cookies are not enabled / does not accept cookies / cookies aktivieren / aktivieren sie cookies
    cookies sind deaktiviert / activer les cookies / activez les cookies / habilite las cookies
    habilitar las cookies / activar las cookies / włącz obsługę cookies
    włącz obsługę plików cookie / włącz pliki cookie
    включите cookie / включите поддержку cookie / включите куки
    کوکی ها را فعال
    启用cookie / 启用 cookie
"""
"""Cookies are."""

_CHECKS = """
    checking your browser / checking if the site connection is secure / this process is automatic
    ddos protection by / security of your connection before / verify you are human
    verify you are a human / verifying you are human / verify that you are human
    verify that you are not a robot / confirm you are not a robot / confirm that you are not a robot
    confirm you are human / prove you are human / prove that you are human
    make sure you're not a robot / complete the captcha / solve the captcha / solve this captcha
    fill in the captcha / complete the security check / unusual traffic from your
    dass sie kein roboter sind / dass sie ein mensch sind / ihr browser wird überprüft
    überprüfung ihres browsers / que vous n'êtes pas un robot / que vous êtes humain
    vérification de votre navigateur / que no eres un robot / que no es un robot / que eres humano
    comprobando su navegador / comprobando tu navegador / że nie jesteś robotem
    że jesteś człowiekiem / sprawdzanie przeglądarki
    что вы не робот / проверка вашего браузера / проверяем ваш браузер / введите символы с картинки
    شما ربات نیستید / ربات نیستم / کد امنیتی را وارد
    正在检查您的浏览器 / 确认您不是机器人 / 证明您不是机器人 / 验证您是真人 / 请完成验证 / 请输入验证码
"""
"""First it must be seen who is reading."""

_DENIED = """
    you don't have permission to access / you do not have permission to access
    access to this page has been denied / access to this site has been denied
    you have been blocked / your ip address has been blocked / your ip has been blocked
    your session has expired / your session has timed out / ihre sitzung ist abgelaufen
    sie haben keine berechtigung / der zugriff wurde verweigert / votre session a expiré
    vous n'avez pas la permission / vous n'êtes pas autorisé / su sesión ha expirado
    tu sesión ha expirado / su sesión ha caducado / tu sesión ha caducado
    no tiene permiso para acceder / no tienes permiso para acceder / sesja wygasła
    nie masz uprawnień / nie masz dostępu do
    время сеанса истекло / ваша сессия истекла / сеанс истек / у вас нет доступа / у вас нет прав
    доступ к этой странице
    نشست شما منقضی / جلسه شما منقضی / شما اجازه دسترسی / شما مجوز دسترسی
    会话已过期 / 会话已超时 / 登录已过期 / 您没有权限访问 / 您无权访问
"""

_PARKED = """
    this domain is for sale / domain name is for sale / this domain may be for sale
    domain may be for sale / buy this domain / this domain is parked / domain is parked free
    parked free, courtesy of / web page is parked / this domain has expired
    domain name has expired / inquire about this domain / diese domain steht zum verkauf
    domain ist zu verkaufen / domain kaufen / diese domain ist geparkt / ce domaine est à vendre
    nom de domaine est à vendre / acheter ce domaine / este dominio está a la venta
    este dominio está en venta / dominio está a la venta / comprar este dominio
    domena jest na sprzedaż / domena na sprzedaż / kup tę domenę
    домен продается / домен продаётся / купить этот домен / домен припаркован
    این دامنه به فروش / این دامنه برای فروش / دامنه فروشی
    域名出售 / 域名正在出售 / 域名可以转让 / 此域名可转让 / 该域名可出售
"""

_DEFAULT = """
    default web page for this server / no content has been added, yet
    if you see this page, the nginx web server / default welcome page used to test
    used to test the proper operation of the / you've successfully installed tomcat
    there isn't a github pages site here / this page is used to test the proper
"""

SENTENCES: Mapping[Flag, Sequence[str]] = {
    Flag.UA_ERROR: _phrases(_LACKING + _SCRIPTS + _COOKIES + _CHECKS),
    Flag.DENIED: _phrases(_DENIED),
    Flag.PARKED: _phrases(_PARKED),
    Flag.DEFAULT: _phrases(_DEFAULT),
}
"""Anywhere on a page that says little else."""

LINES: Mapping[Flag, Sequence[str]] = {
    Flag.UA_ERROR: _phrases("""
        just a moment / attention required / one more step / security check / captcha
        are you a robot / are you human / robot check / unsupported browser / javascript required
        sicherheitsprüfung / einen moment / un instant / un momento / verificación de seguridad
        chwileczkę
        один момент / проверка безопасности / вы не робот / капча
        لحظه ای صبر کنید
        请稍候 / 安全验证 / 安全检查 / 人机验证
    """),
    Flag.DENIED: _phrases("""
        access denied / access forbidden / forbidden / 403 forbidden / error 403 / 403
        unauthorized / 401 unauthorized / 401 authorization required / not authorized
        session expired / session timeout / login required / zugriff verweigert / sitzung abgelaufen
        kein zugriff / accès refusé / accès interdit / session expirée / acceso denegado
        sesión expirada / acceso prohibido / brak dostępu / dostęp zabroniony / odmowa dostępu
        sesja wygasła
        доступ запрещен / доступ запрещён / доступ закрыт / сессия истекла
        دسترسی غیرمجاز / دسترسی مجاز نیست
        访问被拒绝 / 拒绝访问 / 禁止访问 / 没有访问权限
    """),
    Flag.PARKED: _phrases("""
        domain parking / domain for sale / parked domain / domain zu verkaufen
        域名停放
    """),
    Flag.DEFAULT: _phrases("""
        it works! / it works / welcome to nginx / welcome to openresty
        apache is functioning normally / http server test page / apache http server test page
        iis windows server / iis7
    """),
}
"""The title or a part of it, the first heading or the first line of a short page, without what ends it."""

TITLES: Mapping[Flag, Sequence[str]] = {
    Flag.DEFAULT: _phrases("""
        apache2 debian default page: it works / apache2 ubuntu default page: it works
        test page for the apache http server / apache http server test page powered by centos
        test page for the nginx http server / web server's default page / iis windows server
        welcome to nginx / site not found · github pages / domain default page
    """),
    Flag.UA_ERROR: _phrases("""
        attention required! | cloudflare / just a moment / ddos-guard
    """),
    Flag.PARKED: _phrases("""
        sedo domain parking
    """),
}
"""The whole title of a page, which may say much more: that of one program, installed a million times."""
