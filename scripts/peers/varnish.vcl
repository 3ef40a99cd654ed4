# Varnish in front of the benchmark's origin. @NAMES@ are filled in by scripts/peers/servers.py, which also holds the
# options of varnishd and the reason for each.
vcl 4.1;

backend origin {
    .host = "127.0.0.1";
    .port = "@ORIGIN@";
}

# Nothing else is needed: the built-in rules store what Cache-Control allows, and requests carry no cookies.
sub vcl_deliver {
    # Of all servers here, Varnish alone would tell of a hit only by the number of ids in X-Varnish.
    if (obj.hits > 0) {
        set resp.http.X-Cache = "HIT";
    } else {
        set resp.http.X-Cache = "MISS";
    }
}
