// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {DemoToken} from "../devnet/DemoToken.sol";

/// @notice A token whose transfers keep a fee, move nothing, or report a failure. Anyone may choose.
contract DishonestToken is DemoToken {
    /// @notice Part of each transfer that is destroyed, basis points.
    uint256 public feeBps;
    bool public movesNothing;
    bool public reportsFailure;

    constructor() DemoToken("Dishonest Token", "LIAR", 6) {}

    function behave(uint256 feeBps_, bool movesNothing_, bool reportsFailure_) external {
        feeBps = feeBps_;
        movesNothing = movesNothing_;
        reportsFailure = reportsFailure_;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        return super.transfer(to, amount) && !reportsFailure;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        return super.transferFrom(from, to, amount) && !reportsFailure;
    }

    function _update(address from, address to, uint256 amount) internal override {
        bool isTransfer = from != address(0) && to != address(0);
        if (isTransfer && movesNothing) return;
        uint256 fee = isTransfer ? amount * feeBps / 10_000 : 0;
        if (fee > 0) super._update(from, address(0), fee);
        super._update(from, to, amount - fee);
    }
}
